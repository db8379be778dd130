import DemoServer
import ReferenceAPI
import Testing

@Suite struct DemoOptionsTests {
    @Test func `without arguments it is port 8080, in memory and well-behaved`() throws {
        let options = try DemoOptions(arguments: [])
        #expect(options == DemoOptions())
        #expect(options.port == 8080)
        #expect(options.stateFile == nil)
        #expect(options.faults == FaultRates())
        #expect(options.overlap && !options.entityTags && !options.idempotency)
    }

    @Test func `every option is read, with a space or an equals sign`() throws {
        let options = try DemoOptions(arguments: [
            "--port", "0", "--state=a=b", "--idempotency", "--etags", "--no-overlap",
            "--lists-need-login", "--lists-take-writes", "--movies",
            "p1", "p2", "--movies=p3", "--latency", "250", "--fail-rate", "0.25",
            "--lose-request-rate", "0", "--lose-answer-rate=1", "--seed",
            "18446744073709551615", "--quiet", "--secrets", "s",
        ])
        var expected = DemoOptions()
        expected.port = 0
        expected.stateFile = "a=b"
        expected.secretsFile = "s"
        expected.idempotency = true
        expected.behaviour.listsNeedLogin = true
        expected.listsTakeWrites = true
        expected.entityTags = true
        expected.overlap = false
        expected.movieFiles = ["p1", "p2", "p3"]
        expected.faults.latency = .milliseconds(250)
        expected.faults.refuse = 0.25
        expected.faults.loseAnswer = 1
        expected.seed = .max
        expected.quiet = true
        #expect(options == expected)
    }

    @Test func `lists are read with their paging`() throws {
        let options = try DemoOptions(arguments: [
            "--list", "a/notes.json", "--list=link=b", "--list", "offset:3=c_1-x.json",
        ])
        #expect(options.lists.map(\.name) == ["notes", "b", "c_1-x"])
        #expect(options.lists.map(\.file) == ["a/notes.json", "b", "c_1-x.json"])
        #expect(options.lists.map(\.paging) == [.none, .link, .offset])
        #expect(options.lists.map(\.size) == [1, 30, 3])
    }

    @Test func `foreign keys are read with their rules`() throws {
        let options = try DemoOptions(arguments: [
            "--foreign-key", "tasks.project_id=projects", "--foreign-key=a.b=a:cascade",
        ])
        #expect(options.foreignKeys.map(\.list) == ["tasks", "a"])
        #expect(
            options.foreignKeys.map(\.parent) == [
                .init(member: "project_id", list: "projects", rule: .restricts),
                .init(member: "b", list: "a", rule: .cascades),
            ])
    }

    @Test func `every way of being less kind is read`() throws {
        let options = try DemoOptions(arguments: [
            "--pages", "5:link", "--untitled", "3", "--doubled=differing", "--titles", "cut:255",
            "--list-lag", "3", "--id-name", "_id", "--delete-answer", "confirmation",
            "--slash-redirect", "308", "--rate-limit", "5:10", "--fault", "empty-list=0.1",
            "--fault=403=0.01:2s", "--fault", "cut-list=1:twice", "--fault", "404=0.5:for-good",
            "--untrue", "ignore-update=0.1", "--untrue=lag=0.5:9s",
        ])
        var expected = DemoOptions()
        expected.behaviour.pages = .init(size: 5, hint: .link)
        expected.untitled = 3
        expected.behaviour.doubledRow = .differing
        expected.behaviour.altersTitles = .cut(characters: 255)
        expected.behaviour.lag = .seconds(3)
        expected.behaviour.idName = "_id"
        expected.behaviour.deleteAnswer = .confirmation
        expected.behaviour.slashRedirect = 308
        expected.behaviour.rateLimit = RateLimit(perSecond: 5, retryAfter: 10)
        expected.faults.middlebox = [
            MiddleboxHabit(.emptyList, rate: 0.1, span: .requests(1)),
            MiddleboxHabit(.forbidden, rate: 0.01, span: .seconds(2)),
            MiddleboxHabit(.cutList, rate: 1, span: .requests(2)),
            MiddleboxHabit(.notFound, rate: 0.5, span: .forGood),
        ]
        expected.faults.untruths = [
            UntruthHabit(.ignoresUpdate, rate: 0.1),
            UntruthHabit(.listsLag, rate: 0.5, seconds: 9),
        ]
        #expect(options == expected)
        let others = try DemoOptions(arguments: [
            "--pages=7", "--titles=trimmed", "--list-lag=until-next-write", "--rate-limit=1",
        ])
        #expect(others.behaviour.pages == .init(size: 7, hint: .none))
        #expect(others.behaviour.altersTitles == .trimmed)
        #expect(others.behaviour.lag == .untilNextWrite)
        #expect(others.behaviour.rateLimit == RateLimit(perSecond: 1, retryAfter: nil))
    }

    @Test func `a value may begin with a combining mark`() throws {
        let options = try DemoOptions(arguments: ["--state=\u{301}x"])
        #expect(Array(try #require(options.stateFile).utf8) == Array("\u{301}x".utf8))
    }

    @Test func `of a repeated option the last one counts`() throws {
        #expect(try DemoOptions(arguments: ["--port", "1", "--port", "2"]).port == 2)
    }

    @Test(arguments: [
        (["--prot", "1"], "--prot is not an option; the nearest one is --port"),
        (["--stat"], "--stat is not an option; the nearest one is --state"),
        (["--loose-answer-rate", "1"], "the nearest one is --lose-answer-rate"),
        (["--\u{1b}[31m"], "--\\u{1b}[31m is not an option"),
        (["-p", "1"], "'-p' is not an option"), (["8080"], "'8080' is not an option"),
        (["--"], "-- is not an option"), (["--port"], "--port needs a value"),
        (["--port="], "--port needs a value"), (["--state", "--quiet"], "--state needs a value"),
        (["--secrets"], "--secrets needs a value"), (["--movies"], "--movies needs a value"),
        (["--quiet=1"], "--quiet takes no value"),
        (["--port", "65536"], "--port takes a whole number from 0 to 65535, not '65536'"),
        (["--port", "-1"], "not '-1'"), (["--port", "80 "], "not '80 '"),
        (["--latency", "600001"], "from 0 to 600000"), (["--latency", "0.5"], "not '0.5'"),
        (["--fail-rate", "1.01"], "--fail-rate takes a number from 0 to 1, not '1.01'"),
        (["--fail-rate", "-0.1"], "not '-0.1'"), (["--lose-answer-rate", "nan"], "not 'nan'"),
        (["--lose-request-rate", "30%"], "not '30%'"), (["--seed", "-1"], "--seed takes"),
        (["--seed", "18446744073709551616"], "--seed takes"),
        (["--pages", "0"], "from 1 to"), (["--pages", "5:links"], "none, link, total, range"),
        (["--doubled", "twice"], "--doubled takes equal, differing, not 'twice'"),
        (["--titles", "cut"], "trimmed, collapsed or cut:N"), (["--titles", "cut:x"], "not 'x'"),
        (["--list-lag", "0"], "--list-lag takes"), (["--rate-limit", "5:"], "not ''"),
        (["--delete-answer", "ok"], "empty, no-content, todo, confirmation"),
        (["--slash-redirect", "301"], "from 307 to 308"),
        (["--fault", "500=1"], "--fault takes empty-list, cut-list, 307, 403"),
        (["--fault", "403"], "a number from 0 to 1, not ''"),
        (["--fault", "403=1:thrice"], "lasts once, twice, for-good"),
        (["--list", "odd=a"], "--list takes none, link"), (["--list", "link:0=a"], "from 1 to"),
        (["--list", "link="], "whose name has only letters"),
        (["--list", "a b.json"], "whose name has only letters"),
        (["--list", "/"], "whose name has only letters"),
        (["--foreign-key", "tasks=projects"], "a member and a list such as"),
        (["--foreign-key", "tasks.project_id"], "a member and a list such as"),
        (["--foreign-key", "a.b=c:drop"], "restrict, cascade, set-null, not 'drop'"),
        (["--untrue", "lie=1"], "--untrue takes ignore-create, ignore-create-field"),
        (["--untrue", "lag=2"], "a number from 0 to 1, not '2'"),
        (["--untrue", "lag=1:0s"], "a number of seconds such as 20s, not '0s'"),
        (["--fault", "403=1:0s"], "a number of seconds such as 60s, not '0s'"),
    ])
    func `a bad argument is refused with a sentence`(arguments: [String], sentence: String) {
        #expect(
            performing: {
                try DemoOptions(arguments: arguments)
            },
            throws: { error in
                guard let error = error as? DemoError else { return false }
                return error.exitStatus == 64 && error.description.contains(sentence)
                    && error.hint.contains("--help")
            })
    }

    @Test func `the help names every option`() {
        for name in [
            "--port", "--state", "--secrets", "--idempotency", "--etags", "--movies",
            "--no-overlap",
            "--latency", "--fail-rate", "--lose-request-rate", "--lose-answer-rate", "--seed",
            "--pages", "--untitled", "--doubled", "--titles", "--list-lag", "--id-name",
            "--delete-answer", "--slash-redirect", "--rate-limit", "--fault", "--list",
            "--lists-need-login", "--lists-take-writes", "--foreign-key",
            "--quiet", "--help", "demo@example.com",
        ] {
            #expect(DemoOptions.helpText.contains(name))
        }
    }
}
