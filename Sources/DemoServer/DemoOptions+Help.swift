extension DemoOptions {
    /// What `--help` prints.
    public static let helpText = """
        demo-api: a movies and a todos service to develop against, on this machine only

        usage: demo-api [OPTION…]

          --port N              port on 127.0.0.1; 0: any free port (default 8080)
          --state FILE          keep users, tokens, todos and rows in FILE (default: in memory)
          --secrets FILE        take {"password": …, "token": …} from FILE instead of demo and demo
          --idempotency         honour Idempotency-Key
          --etags               send weak entity tags and answer 304
          --movies FILE…        serve these recorded pages instead of invented movies
          --list [HOW=]FILE     serve the JSON array in notes.json at /lists/notes. HOW: none
                                (default), link, next, cursor, page or offset, and :N for N rows
                                a page (default 30). Can be given several times
          --lists-need-login    serve these lists only to a token of POST /login
          --lists-take-writes   POST to /lists/notes adds a row, PATCH and PUT to /lists/notes/ID
                                change it, DELETE deletes it. With --state, the rows that were
                                kept come before those of the file
          --foreign-key KEY     tasks.project_id=projects: this member of the rows of tasks is the
                                id of a row of projects, or null; others are refused with 422.
                                Behind it :RULE says what becomes of a task whose project is
                                deleted: restrict (default: 409 to the DELETE), cascade or
                                set-null. Can be given several times
          --no-overlap          no movie on two pages
          --pages N[:HINT]      list N todos a page, the next page at ?page=2; HINT says that there
                                are more: none (default), link, total (X-Total-Count), range
                                (Content-Range)
          --untitled N          give the account N todos whose title is null
          --doubled HOW         list one todo twice: equal, or differing (in its title)
          --titles HOW          store titles trimmed, collapsed, or cut:N to N characters
          --list-lag S          leave the last write out of lists, for S seconds or until-next-write
          --id-name NAME        call the id of a todo NAME, such as _id
          --delete-answer HOW   empty (default), no-content, todo, or confirmation: {"ok": true}
          --slash-redirect N    redirect /todos with N, 307 or 308, to /todos/
          --rate-limit N[:S]    take N requests a second, evenly spaced; answer 429 to the others,
                                with Retry-After S if you give S
          --latency MS          answer each request MS milliseconds later
          --fail-rate P         answer 503 without doing anything, with probability P (0 to 1)
          --lose-request-rate P close the connection without doing anything
          --lose-answer-rate P  do what is asked, then close the connection without an answer
          --fault KIND=P[:SPAN] answer as a proxy or a firewall does, with probability P (0 to 1):
                                empty-list, cut-list, 307 to a write, 404 or 410 to a DELETE, 409
                                to a POST, 403, 429 or 503 to anything. SPAN: once (default),
                                twice, Ns (for N seconds), for-good. Can be given several times
          --untrue KIND=P[:Ns]  say something else than what was done, with probability P:
                                ignore-create, ignore-create-field, ignore-update,
                                ignore-update-field or ignore-delete succeed without effect;
                                answer-part, answer-old, answer-other, answer-id, answer-none or
                                answer-claim (what was sent) show something else than the row;
                                ok-false and ok-false-effect refuse with 200; async answers 202,
                                and lag, age (told in Age) and age-untold show old lists, for up
                                to N seconds (default 20). Can be given several times
          --seed N              repeat the same faults and tokens
          --quiet               log no requests
          --help                print this

        The account is demo@example.com with password demo; the movies token is demo.
        Standard output has the address, standard error one line for each request.

        """
}
