import Foundation
import Glibc
import Testing

/// `syncd login` at a server of the configuration, and what is said where that is refused.
@Suite(.timeLimit(.minutes(2))) struct LoginProcessTests {
    @Test func `one refused password is one line, and the command in it mends it`() async throws {
        let app = try await LoginStage(password: "not this one")
        defer { app.kill() }
        let synced = try await app.stage.syncd("sync")
        #expect(synced.code == 77)
        let mend =
            "Put the password that is right into \(app.password), then run `syncd login app`."
        #expect(
            synced.errors == """
                syncd: notes, people, tasks and visits: needs credentials: POST \(app.address)/login \
                was answered 401: Unauthorized. \(mend)

                """)
        let status = try await app.stage.syncd("status")
        #expect(status.errors.contains("syncd: notes, people, tasks and visits: \(mend)\n"))
        let refused = try await app.stage.syncd("login", "app")
        #expect(refused.code == 77)
        #expect(
            refused.errors
                == "syncd: POST \(app.address)/login was answered 401: Unauthorized. \(mend)\n")
        try app.stage.write(app.stage.account.password, to: "secrets/password")
        let login = try await app.stage.syncd("login", "app")
        #expect(login.code == 0)
        #expect(login.errors == "syncd: logged in as demo@example.com at \(app.address)\n")
        #expect(try await app.stage.syncd("sync").code == 0)
        #expect(!(synced.errors + status.errors + refused.errors).contains("not this one"))
    }

    @Test
    func
        `a login is named by its server or one of its lists, and need not be if it is the only one`()
        async throws
    {
        let app = try await LoginStage(password: DemoAccount.read().password)
        defer { app.kill() }
        for words in [["login"], ["login", "app"], ["login", "tasks"]] {
            let ended = try await app.stage.run(.syncd, words)
            #expect(ended.code == 0, "\(ended.errors)")
        }
        let unknown = try await app.stage.syncd("login", "ap")
        #expect(unknown.code == 64)
        #expect(unknown.errors.contains("no server and no list ‘ap’; the nearest one is app"))
        try app.stage.write(
            #"{"servers": {"plain": {"baseURL": "\#(app.address)"}}}"#, to: app.stage.configuration)
        let plain = try await app.stage.syncd("login", "plain")
        #expect(plain.code == 65)
        #expect(plain.errors.hasPrefix("syncd: plain has no login"), "\(plain.errors)")
    }

    @Test func `declare speaks of the server that was named, and of no file that was not given`()
        async throws
    {
        let app = try await LoginStage(path: "/logon", password: "not this one")
        defer { app.kill() }
        let list = app.address + "/lists/tasks"
        let lost = try await app.stage.syncd("declare", list, "--server", "app", "--name", "x")
        #expect(
            lost.errors == """
                syncd: POST \(app.address)/logon was answered 404: Not Found. \
                Correct servers.app.auth.path: the server has no login there.

                """)
        let text = try String(contentsOfFile: app.stage.configuration, encoding: .utf8)
        try app.stage.write(text.replacing("/logon", with: "/login"), to: app.stage.configuration)
        let refused = try await app.stage.syncd("declare", list, "--server", "app", "--name", "x")
        #expect(refused.code == 77)
        #expect(
            refused.errors.hasSuffix(
                "Correct servers.app.auth.user, or the password where servers.app.auth.passwordFile says.\n"
            ), "\(refused.errors)")
        #expect(!refused.errors.contains("--token-file"))
    }

    @Test func `config shows the servers without their secrets, and what was set`() async throws {
        let app = try await LoginStage(password: "not this one")
        defer { app.kill() }
        let text = try String(contentsOfFile: app.stage.configuration, encoding: .utf8)
        try app.stage.write(
            text.replacing("passwordFile\": \"\(app.password)", with: "password\": \"hunter2"),
            to: app.stage.configuration)
        let servers = try await app.stage.syncd("config", "servers")
        #expect(servers.code == 0, "\(servers.errors)")
        #expect(servers.output.contains("\"baseURL\": \"\(app.address)\""))
        #expect(servers.output.contains("\"password\": \"********\""), "\(servers.output)")
        let set = try await app.stage.syncd("config")
        #expect(
            set.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
                == ["key", "database", "servers.app"])
        let all = try await app.stage.syncd("config", "--all")
        #expect(all.output.contains("\nhttp.timeout\t\"60s\"\tdefault\n"))
        let json = try await app.stage.syncd("config", "--json")
        #expect(json.output.contains("\"servers\":{\"app\":{"))
        for shown in [servers, set, all, json] { #expect(!shown.output.contains("hunter2")) }
        #expect(try await app.stage.syncd("config", "servers.app").code == 0)
        let near = try await app.stage.syncd("config", "servers.ap")
        #expect(near.errors.contains("the nearest one is servers.app"))
    }

    @Test func `a broken file of one list hinders no login and no look at the configuration`()
        async throws
    {
        let app = try await LoginStage(password: DemoAccount.read().password)
        defer { app.kill() }
        try app.stage.write("{", to: "config/syncd/lists/notes.json")
        for words in [
            ["login", "app"], ["config", "database"], ["lists", "check", "tasks"],
            ["sync", "tasks"],
        ] {
            let ended = try await app.stage.run(.syncd, words)
            #expect(ended.code == 0, "\(words): \(ended.errors)")
        }
        let lists = try await app.stage.syncd("lists")
        #expect(lists.code == 78)
        #expect(lists.output.contains("\ntasks\tyes\tok\t1\t"), "\(lists.output)")
        #expect(lists.errors.contains("notes: this list is not synced: "))
    }
}
