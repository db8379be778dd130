// swift-tools-version: 6.2
import PackageDescription

// Every room of the house (ARCHITECTURE.md) is a target, so that an import against the arrows
// does not compile. The scripts set SYNCD_STRICT, which makes every warning an error; somebody who
// builds the package with a newer compiler is not stopped by a new warning. `.ci/run`, which builds
// once and from nothing, sets SYNCD_WHOLE: whole modules take less work then, and all of it again
// after each change of a file.
let strict = Context.environment["SYNCD_STRICT"] != nil
let isWhole = Context.environment["SYNCD_WHOLE"] != nil
let whole = ["-whole-module-optimization", "-num-threads", "1", "-disable-batch-mode"]

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatWarning("ExplicitSendable", as: .error),
    ] + (strict ? [.treatAllWarnings(as: .error)] : [])
    + (isWhole ? [.unsafeFlags(whole, .when(configuration: .debug))] : [])

func room(
    _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
    exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
        swiftSettings: settings)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources,
        swiftSettings: settings)
}

/// The fuzzer's program needs runtimes that only `scripts/fuzz` links, which sets SYNCD_FUZZ.
let fuzzer =
    Context.environment["SYNCD_FUZZ"] == nil
    ? [] : [program("FuzzDriver", ["FuzzTargets", "Host"], path: "Tests/FuzzDriver")]

func program(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

/// Links to the files of examples/lists.
let readyLists = [
    "alertmanager-silences", "directus", "django-rest-framework", "express", "fastapi",
    "gitea-issues", "github-issues", "home-assistant-states", "miniflux", "nextcloud-notes",
    "pocketbase", "postgrest", "rails", "vapor",
]

let package = Package(
    name: "syncd",
    products: ["syncd", "demo-api"].map { Product.executable(name: $0, targets: [$0]) }
        + ["APIClient", "APIClientTesting", "CurlHTTP", "URLSessionHTTP", "URLSessionTesting"]
        .map { Product.library(name: $0, targets: [$0]) },
    targets: [
        // Floor 0: the machine.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Its headers alone: the library is loaded when a request needs it (`CurlLibrary`).
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(
            name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        room(
            "Migrations", path: "Migrations",
            resources: [
                .embedInCode("0001_create_cache.sql"),
                .embedInCode("0002_add_changes_history_and_checks.sql"),
            ]),
        room("SQLite", ["Text", "CSQLite"]),
        room("Text"),
        room("Host", ["Text", "CLinux"]),
        // And what a list is, without any machine.
        room("Declarations", ["Text"]),
        room("Tables", ["Declarations", "Text"]),
        room("ReadyLists", resources: readyLists.map { .embedInCode("\($0).json") }),

        // Floor 1: the cache and the servers.
        room("Store", ["Rules", "SQLite", "Host", "Text", "Migrations", "Declarations", "Tables"]),
        room("Rules", ["Declarations", "Host", "Text"]),
        room("APIClient", ["Text"]),
        room("CurlHTTP", ["APIClient", "CCurl", "CLinux"]),
        room("URLSessionHTTP", ["APIClient"]),

        // Floor 2: one cycle, and a sound cache in the place of a damaged one.
        room("Recovery", ["Store", "SQLite", "Host", "Text", "Migrations"]),
        room(
            "SyncEngine", ["Store", "Rules", "APIClient", "Declarations", "Tables", "Host", "Text"]),
        // And what a server's answer says of a list that nobody has declared yet.
        room("Proposals", ["APIClient", "Declarations", "Text"]),

        // Floor 3: when to sync, and with which settings.
        room("Daemon", ["SyncEngine", "Store", "Rules", "Declarations", "Host", "Text"]),
        room("Configuration", ["APIClient", "Declarations", "Host", "Text"]),

        // Floor 4: what a person meets.
        room("Rendering", ["Text"]),
        room("CommandLine", ["Text"]),
        room(
            "Commands",
            [
                "Rendering", "Daemon", "Configuration", "SyncEngine", "Rules", "Proposals",
                "Recovery",
                "Store", "Tables", "APIClient", "Declarations",
                "CurlHTTP", "SQLite", "Host", "Text", "Migrations", "ReadyLists", "CommandLine",
            ]),

        // Floor 5: the programs.
        .executableTarget(name: "syncd", dependencies: ["Commands"], swiftSettings: settings),
        .executableTarget(name: "demo-api", dependencies: ["DemoServer"], swiftSettings: settings),

        // Beside the house: the servers to develop against, and the doubles to test with.
        room("ReferenceAPI", ["APIClient"]),
        room("DemoServer", ["ReferenceAPI", "APIClient", "Host", "Text", "CMicroHTTPD"]),
        room("APIClientTesting", ["APIClient"]),
        room("URLSessionTesting", ["APIClient"]),

        .target(name: "HostileHTTP", path: "Tests/HostileHTTP", swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "APIClient", "APIClientTesting", "ReferenceAPI", "Store", "SQLite", "Migrations",
                "Rules", "SyncEngine", "Declarations", "Tables", "Text",
                "Host",
            ], path: "Tests/TestSupport", swiftSettings: settings),
        // The simulation: tests run some seeds of it, `scripts/simulate` runs as many as wanted.
        .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
        .target(
            name: "SimulatedWorld",
            dependencies: [
                "APIClient", "APIClientTesting", "CFaultVFS", "Declarations", "Host", "Migrations",
                "ReferenceAPI", "Rules", "SQLite", "Store", "SyncEngine", "Tables", "TestSupport",
                "Text",
            ], path: "Tests/SimulatedWorld", swiftSettings: settings),
        .executableTarget(
            name: "simulate", dependencies: ["EditWorld", "Host", "SimulatedWorld"],
            path: "Tests/simulate",
            swiftSettings: settings),
        // The laws of edits in small worlds that cost little: tests run some seeds of it, and
        // `scripts/simulate --edits` runs as many as wanted.
        .target(
            name: "EditWorld",
            dependencies: [
                "APIClient", "Declarations", "Host", "Migrations", "Rules", "SQLite",
                "SimulatedWorld",
                "Store", "SyncEngine", "Tables", "TestSupport", "Text",
            ], path: "Tests/EditWorld", swiftSettings: settings),
        // Random writes to a table, and syncd's steps on it, beside a model: tests run some seeds of it,
        // `scripts/table-oracle` runs as many as wanted.
        .target(
            name: "TableOracle", dependencies: ["Declarations", "SQLite", "Tables"],
            path: "Tests/TableOracle", swiftSettings: settings),
        .executableTarget(
            name: "table-oracle", dependencies: ["TableOracle"], path: "Tests/table-oracle",
            swiftSettings: settings),
        .executableTarget(
            name: "fleet",
            dependencies: [
                "Daemon", "SyncEngine", "Store", "Rules", "Declarations", "Host", "TestSupport",
            ],
            path: "Tests/fleet", swiftSettings: settings),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "APIClient", "APIClientTesting", "CommandLine", "Commands", "Configuration",
                "Declarations",
                "Host",
                "Migrations", "Proposals", "Rendering", "Rules", "SQLite", "Store", "SyncEngine",
                "Tables", "TestSupport", "Text",
            ], path: "Tests/FuzzTargets", swiftSettings: settings),
        tests("FuzzRegressionTests", ["FuzzTargets"]),
        tests("SQLiteTests", ["SQLite", "TestSupport"]),
        tests("TextTests", ["Text"]),
        tests("HostTests", ["Host", "Text", "CLinux", "TestSupport"]),
        tests(
            "StoreTests",
            [
                "Store", "Recovery", "Rules", "SQLite", "Declarations", "Tables", "Host",
                "Migrations",
                "CFaultVFS", "TestSupport",
            ]),
        tests(
            "APIClientTests", ["APIClient", "APIClientTesting", "ReferenceAPI", "Text"],
            resources: [.copy("Recordings")]),
        tests("CurlHTTPTests", ["CurlHTTP", "APIClient", "CCurl", "HostileHTTP"]),
        tests("URLSessionHTTPTests", ["URLSessionHTTP", "APIClient", "HostileHTTP"]),
        tests(
            "URLSessionTestingTests", ["URLSessionTesting", "APIClient", "APIClientTesting"]),
        tests(
            "ClientConformanceTests",
            [
                "APIClient", "APIClientTesting", "URLSessionHTTP", "URLSessionTesting", "CurlHTTP",
                "HostileHTTP", "Text",
            ]),
        tests("EmbeddingTests", ["HostileHTTP"]),
        tests("ReferenceAPITests", ["ReferenceAPI", "APIClient"]),
        tests(
            "DemoServerTests",
            ["DemoServer", "ReferenceAPI", "APIClient", "CurlHTTP", "TestSupport"]),
        tests(
            "SyncEngineTests",
            [
                "SyncEngine", "Store", "Rules", "SQLite", "APIClient", "APIClientTesting",
                "ReferenceAPI", "TestSupport", "SimulatedWorld", "EditWorld", "Declarations",
                "Tables",
                "Migrations",
                "Host", "Text",
            ], exclude: ["Examples"]),
        tests(
            "DaemonTests",
            [
                "Daemon", "SyncEngine", "Store", "Rules", "Host", "TestSupport", "APIClient",
                "APIClientTesting", "ReferenceAPI", "Declarations", "Migrations", "SQLite", "Text",
            ]),
        tests("RulesTests", ["Rules", "Declarations", "Host", "ReferenceAPI", "TestSupport"]),
        tests("DeclarationsTests", ["Declarations", "Text"]),
        tests(
            "TablesTests", ["Tables", "Declarations", "Text", "SQLite", "TableOracle"],
            exclude: ["Golden"]),
        tests(
            "ConfigurationTests",
            ["Configuration", "APIClient", "Declarations", "Host", "Text", "TestSupport"]),
        tests(
            "ProposalsTests",
            [
                "Proposals", "APIClient", "Declarations", "ReadyLists", "ReferenceAPI", "Text",
            ]),
        tests("RenderingTests", ["Rendering", "Text"]),
        tests(
            "CommandsTests",
            [
                "Commands", "Migrations", "SyncEngine", "Store", "Rules", "APIClient",
                "Declarations",
                "SQLite", "Tables", "CommandLine",
                "Host", "Configuration",
            ]),
        tests("HouseTests"),
        tests("ProcessTests", ["TestSupport", "HostileHTTP"]),
    ] + fuzzer
)
