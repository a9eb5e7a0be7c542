// swift-tools-version: 6.2
import PackageDescription

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hashTreeCollections = Target.Dependency.product(name: "HashTreeCollections", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP2 = Target.Dependency.product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let sqlite = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqliteFunctions = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let bigInt = Target.Dependency.product(name: "BigInt", package: "BigInt")

let package = Package(
    name: "hearth",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "HomeKit", targets: ["HomeKit"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "ExternalAccessory", targets: ["ExternalAccessory"]),
        .library(name: "AVFoundation", targets: ["AVFoundation", "CoreMedia"]),
        .library(name: "AVKit", targets: ["AVKit"]),
        .library(name: "MediaPlayer", targets: ["MediaPlayer"]),
        .library(name: "HomeKitTesting", targets: ["HomeKitTesting"]),
        .library(name: "HAP", targets: ["HAP", "HAPCatalog"]),
        .library(name: "DNSSD", targets: ["DNSSD"]),
        .executable(name: "hearth", targets: ["hearth"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/attaswift/BigInt", from: "6.0.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        // HAP: constants, the protocol without I/O, discovery, client and server.
        // Rounding doubles needs libm, which no other dependency links.
        .target(name: "HAPCatalog", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .target(name: "CChaCha20"),
        .target(name: "HAP", dependencies: ["CChaCha20", "HAPCatalog", crypto]),
        .target(name: "DNSSD", dependencies: [nioCore, nioPosix]),
        .target(name: "WirelessSetup", dependencies: ["HAP", crypto, cryptoExtras]),
        .target(name: "ChannelSockets", dependencies: [nioCore]),
        .target(
            name: "HAPServer",
            dependencies: ["ChannelSockets", "HAP", "HAPCatalog", "DNSSD", "WirelessSetup", nioCore, nioPosix]
        ),
        .target(name: "HAPClient", dependencies: ["HAP", "HAPCatalog", "WirelessSetup", nioCore, nioPosix]),
        .target(name: "AccessoryCheck", dependencies: ["HAP", "HAPCatalog", crypto, nioCore, nioPosix]),
        .target(
            name: "ControllerCheck",
            dependencies: ["AccessoryCheck", "DNSSD", "HAP", "HAPCatalog", "HAPServer", crypto]
        ),

        // AirPlay: the codec, the protocol without I/O, receivers and senders.
        .target(name: "AppleLossless"),
        .target(name: "AirPlay", dependencies: ["AppleLossless", "HAP", crypto]),
        .target(name: "AirPlayNetwork", dependencies: ["AirPlay", "DNSSD", "HAP", nioCore, nioPosix]),
        .target(name: "SoundCard"),
        .target(name: "DesktopMedia"),

        // The home: model, store, hub.
        .target(name: "HomeModel", dependencies: ["HAPCatalog", hashTreeCollections]),
        .target(name: "HomeStore", dependencies: ["Consensus", "HomeModel", sqlite, crypto]),
        .target(name: "Automations", dependencies: ["HAPCatalog", "HomeModel"]),
        .target(name: "Journal", dependencies: ["HAPCatalog", "HomeModel", "HubAPI", sqlite, sqliteFunctions]),
        .target(name: "HomeText", dependencies: ["HAPCatalog", "HomeModel", "HubAPI"]),
        .target(name: "Voice", dependencies: ["HomeModel"], exclude: ["Languages"]),
        .target(name: "Wyoming", dependencies: ["HAP"]),
        .target(name: "ModelContext", dependencies: ["HAP"]),
        .target(name: "HomeIdentity", dependencies: ["HAP", crypto]),
        .target(name: "SealedFeed", dependencies: ["HAP", "HomeIdentity", crypto]),
        .target(name: "Consensus"),
        .target(
            name: "Replication",
            dependencies: ["Consensus", "HAP", "HomeIdentity", "HomeModel", "HomeStore", "SealedFeed"]
        ),
        .target(name: "AgeFile", dependencies: [crypto, cryptoExtras]),
        .target(name: "ControllerFiles", dependencies: ["HAP"]),
        .target(name: "LocalRPC"),
        .target(name: "LocalRPCSockets", dependencies: ["ChannelSockets", "LocalRPC", logging, nioCore, nioPosix]),
        .target(name: "HubAPI", dependencies: ["HAPCatalog", "HomeModel", "LocalRPC"]),
        .target(
            name: "HomeHub",
            dependencies: [
                "AgeFile", "AirPlay", "AirPlayNetwork", "Automations", "Consensus", "DNSSD", "HAP", "HAPCatalog",
                "HAPClient",
                "HomeIdentity", "HomeModel", "HomeStore", "HomeText", "HubAPI", "Journal", "MediaRouting",
                "Replication", "SealedFeed", "Voice", "WirelessSetup", crypto, logging, metrics,
            ]
        ),
        // The distribution's OpenSSL.
        .systemLibrary(name: "COpenSSL"),
        .target(name: "TLS", dependencies: ["COpenSSL", nioCore]),
        // What each program with a data folder or an HTTP port needs.
        .target(name: "FolderAccess"),
        .target(
            name: "WebServer",
            dependencies: [
                "TLS", httpTypes, hummingbird, logging, nioCore, nioHTTP2, nioHTTPTypes, nioHTTPTypesHTTP2, nioPosix,
            ]
        ),
        // The relay, which passes on what it can't read, and its clients.
        .target(name: "RelayAPI", dependencies: ["Consensus", "HomeIdentity", crypto]),
        .target(
            name: "Relay",
            dependencies: [
                "Consensus", "HomeIdentity", "RelayAPI", "TLS", "WebServer", httpTypes, hummingbird, logging, metrics,
                nioCore,
                nioHTTPTypes, sqlite,
            ]
        ),
        // A relay's store that several processes share. It loads PostgreSQL's client library when a relay uses it.
        .target(name: "RelayPostgres", dependencies: ["Consensus", "HomeIdentity", "RelayAPI"]),
        .target(
            name: "RelayClient",
            dependencies: ["Consensus", "HomeIdentity", "RelayAPI", "TLS", nioCore, nioHTTP1, nioPosix]
        ),
        .target(
            name: "HubNetwork",
            dependencies: [
                "HomeIdentity", "HubAPI", "LocalRPC", "LocalRPCSockets", "TLS", logging, nioCore, nioPosix,
            ]
        ),
        .target(
            name: "HubServer",
            dependencies: [
                "Consensus", "DNSSD", "HAPCatalog", "HomeHub", "HomeIdentity", "HomeModel", "HomePage", "HubAPI",
                "HubClient", "HubNetwork", "LocalRPC", "LocalRPCSockets", "ModelContext", "RelayAPI", "RelayClient",
                "Replication", "SealedFeed", "TLS", "WebServer", "Wyoming", crypto,
                httpTypes, hummingbird, logging, nioCore, nioHTTP1, nioHTTPTypes, nioPosix,
            ]
        ),
        // The files of the page, which the C compiler embeds in the program.
        .target(name: "HomePage", exclude: ["Files"], linkerSettings: [.linkedLibrary("z")]),
        .target(name: "PrometheusMetrics", dependencies: [metrics]),

        // The products: Apple's API, the simulator, the command line.
        .target(name: "HubClient", dependencies: ["HubAPI", "LocalRPC", "LocalRPCSockets"]),
        // The agent of a person's own device, which serves apps in a hub's place.
        .target(
            name: "HomeAgent",
            dependencies: [
                "DNSSD", "FolderAccess", "HAP", "HAPCatalog", "HomeIdentity", "HomeModel", "HubAPI", "HubClient",
                "HubNetwork", "LocalRPC", "LocalRPCSockets", "RelayAPI", "RelayClient", "SealedFeed", crypto, logging,
                nioCore, sqlite,
            ]
        ),
        .target(name: "CoreLocation"),
        .target(
            name: "HomeKit",
            dependencies: ["CoreLocation", "HAPCatalog", "HomeModel", "HubAPI", "HubClient", "LocalRPCSockets"]
        ),
        .target(name: "ExternalAccessory", dependencies: ["HomeKit", "HubAPI"]),
        // Apple's API for audio, and the routes that its modules share.
        .target(
            name: "MediaRouting",
            dependencies: [
                "AirPlay", "AirPlayNetwork", "AppleLossless", "DNSSD", "DesktopMedia", "HAP", "LocalRPC",
                "LocalRPCSockets", "SoundCard",
            ]
        ),
        .target(name: "CoreMedia"),
        .target(name: "AVFoundation", dependencies: ["AirPlay", "CoreMedia", "MediaRouting"]),
        .target(name: "AVKit", dependencies: ["AirPlay", "AirPlayNetwork", "AVFoundation", "MediaRouting"]),
        .target(name: "MediaPlayer", dependencies: ["AirPlay", "MediaRouting"]),
        .target(
            name: "AccessorySimulator",
            dependencies: ["HAP", "HAPCatalog", "HAPClient", "HAPServer", "LocalRPC", "WirelessSetup"]
        ),
        .target(
            name: "HomeScenarios",
            dependencies: [
                "AccessorySimulator", "DNSSD", "HAP", "HAPCatalog", "HAPClient", "HomeHub", "HomeModel", "HomeText",
                "HubAPI", "HubClient", logging,
            ]
        ),
        .target(
            name: "HomeKitTesting",
            dependencies: [
                "AccessorySimulator", "DNSSD", "HAP", "HAPCatalog", "HAPClient", "HAPServer", "HomeHub", "HomeKit",
                "HomeModel", "HomeScenarios", "HubAPI", "HubClient", logging, nioCore,
            ]
        ),
        .executableTarget(
            name: "hearth",
            dependencies: [
                "AccessoryCheck", "AccessorySimulator", "AgeFile", "AirPlay", "AirPlayNetwork", "AppleLossless",
                "ControllerCheck", "ControllerFiles", "DNSSD", "DesktopMedia", "FolderAccess", "HAP", "HAPCatalog",
                "HAPServer", "HomeAgent", "HomeHub", "HomeKit", "HomeModel", "HomeScenarios", "HomeStore", "HomeText",
                "HubAPI", "HubClient", "HubNetwork", "HubServer", "LocalRPC", "LocalRPCSockets", "MediaRouting",
                "ModelContext", "PrometheusMetrics", "Relay", "RelayAPI", "RelayPostgres", "SoundCard", "Voice",
                "WebServer", argumentParser, logging, metrics,
            ]
        ),

        // Tests, and the programs that they run.
        .target(name: "PeerProcess", path: "Tests/Support/PeerProcess"),
        .executableTarget(name: "peer-parent", dependencies: ["PeerProcess"], path: "Tests/Support/PeerParent"),
        .target(
            name: "AccessoryPeers",
            dependencies: ["HAPCatalog", "PeerProcess"],
            path: "Tests/Support/AccessoryPeers"
        ),
        .target(
            name: "NetworkDoors",
            dependencies: ["HAP", "HomeIdentity"],
            path: "Tests/Support/NetworkDoors"
        ),
        .target(name: "RawHTTP", path: "Tests/Support/RawHTTP"),
        .target(
            name: "HostileRelay",
            dependencies: [nioCore, nioHTTP1, nioPosix],
            path: "Tests/Support/HostileRelay"
        ),
        .target(
            name: "FeedFollowing",
            dependencies: ["HomeIdentity", "HubAPI", "RelayAPI", "RelayClient", "SealedFeed"],
            path: "Tests/Support/FeedFollowing"
        ),
        .target(name: "NetworkLab", dependencies: ["PeerProcess"], path: "Tests/Support/NetworkLab"),
        .executableTarget(name: "dnssd-host", dependencies: ["DNSSD"], path: "Tests/Support/DNSSDHost"),
        .executableTarget(
            name: "store-crash-child",
            dependencies: ["Consensus", "HomeModel", "HomeStore", "Replication", sqlite],
            path: "Tests/Support/StoreCrashChild"
        ),
        .target(name: "CoreAudioFile", dependencies: ["AppleLossless"], path: "Tests/Support/CoreAudioFile"),
        .executableTarget(
            name: "lossless-decoder",
            dependencies: ["AppleLossless", "CoreAudioFile"],
            path: "Tests/Support/LosslessDecoder"
        ),
        .executableTarget(name: "homekit-app", dependencies: ["HomeKit"], path: "Tests/Support/HomeKitApp"),
        .target(
            name: "KilgoApp",
            dependencies: ["HomeKit"],
            path: "Tests/Support/KilgoApp",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "CatalogApp",
            dependencies: ["HomeKit"],
            path: "Tests/Support/CatalogApp",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "RadioApp",
            dependencies: ["AVFoundation", "AVKit", "MediaPlayer"],
            path: "Tests/Support/RadioApp",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .executableTarget(
            name: "radio-app",
            dependencies: ["AVKit", "RadioApp"],
            path: "Tests/Support/RadioProgram",
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(name: "SamplesApp", dependencies: ["AVFoundation"], path: "Tests/Support/SamplesApp"),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "PeerProcessTests", dependencies: ["peer-parent", "PeerProcess"]),
        .testTarget(name: "ChannelSocketsTests", dependencies: ["ChannelSockets", nioCore, nioEmbedded, nioPosix]),
        .testTarget(name: "HAPCatalogTests", dependencies: ["HAPCatalog"]),
        .testTarget(
            name: "HAPTests",
            dependencies: ["HAP", "HAPCatalog", "PeerProcess", bigInt, crypto],
            resources: [.copy("Vectors")]
        ),
        .testTarget(name: "WirelessSetupTests", dependencies: ["HAP", "PeerProcess", "WirelessSetup", crypto]),
        .testTarget(name: "AppleLosslessTests", dependencies: ["AppleLossless", "CoreAudioFile", "PeerProcess"]),
        .testTarget(
            name: "AirPlayNetworkTests",
            dependencies: [
                "AirPlay", "AirPlayNetwork", "AppleLossless", "CoreAudioFile", "DNSSD", "HAP", "PeerProcess",
            ]
        ),
        .testTarget(name: "SoundCardTests", dependencies: ["SoundCard"]),
        .testTarget(name: "AirPlayTests", dependencies: ["AirPlay", "AppleLossless", "HAP"]),
        .testTarget(name: "HomeIdentityTests", dependencies: ["HAP", "HomeIdentity", crypto]),
        .testTarget(name: "SealedFeedTests", dependencies: ["HomeIdentity", "PeerProcess", "SealedFeed", crypto]),
        .testTarget(name: "ConsensusTests", dependencies: ["Consensus", "PeerProcess", "Replication"]),
        .testTarget(
            name: "ReplicationTests",
            dependencies: ["Consensus", "HomeModel", "HomeStore", "Replication", "SealedFeed"]
        ),
        .testTarget(name: "AgeFileTests", dependencies: ["AgeFile", "PeerProcess"]),
        .testTarget(name: "ControllerFilesTests", dependencies: ["ControllerFiles", "HAP", "PeerProcess"]),
        .testTarget(name: "DNSSDTests", dependencies: ["DNSSD", "PeerProcess"]),
        .testTarget(name: "DNSSDInteropTests", dependencies: ["dnssd-host", "NetworkLab", "PeerProcess"]),
        .testTarget(
            name: "HAPServerTests",
            dependencies: [
                "AccessoryCheck", "AccessoryPeers", "DNSSD", "HAP", "HAPCatalog", "HAPServer", "PeerProcess", crypto,
                nioCore, nioEmbedded,
            ]
        ),
        .testTarget(
            name: "AccessoryCheckTests",
            dependencies: [
                "AccessoryCheck", "AccessoryPeers", "DNSSD", "HAP", "HAPCatalog", "HAPServer", "PeerProcess",
            ],
            exclude: ["hap-python.tsv"]
        ),
        .testTarget(
            name: "ControllerCheckTests",
            dependencies: [
                "AccessoryCheck", "ControllerCheck", "DNSSD", "HAP", "HAPCatalog", "HAPClient", "HAPServer",
                "PeerProcess", crypto,
            ],
            exclude: ["aiohomekit.tsv"]
        ),
        .testTarget(
            name: "HAPClientTests",
            dependencies: ["HAP", "HAPCatalog", "HAPClient", "PeerProcess", nioCore, nioPosix]
        ),
        .testTarget(
            name: "AccessorySimulatorTests",
            dependencies: [
                "AccessoryPeers", "AccessorySimulator", "HAP", "HAPCatalog", "HAPClient", "HAPServer", "HomeKitTesting",
                "HomeScenarios", "PeerProcess", nioCore, nioPosix,
            ],
            resources: [.copy("Specimens")]
        ),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "AccessorySimulator", "AirPlay", "AppleLossless", "Consensus", "ControllerFiles", "DNSSD", "HAP",
                "HAPCatalog", "HAPServer", "HomeIdentity", "HomeModel", "HubAPI", "ModelContext", "SealedFeed", "Voice",
                "WirelessSetup", "Wyoming",
            ]
        ),
        .testTarget(name: "HomeModelTests", dependencies: ["HAPCatalog", "HomeModel", "HubAPI"]),
        .testTarget(
            name: "HomeStoreTests",
            dependencies: ["Consensus", "HAPCatalog", "HomeModel", "HomeStore", "store-crash-child", sqlite],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(name: "AutomationsTests", dependencies: ["Automations", "HAPCatalog", "HomeModel", "PeerProcess"]),
        .testTarget(name: "JournalTests", dependencies: ["HAPCatalog", "HomeModel", "HubAPI", "Journal", sqlite]),
        .testTarget(name: "VoiceTests", dependencies: ["HomeModel", "Voice"]),
        .testTarget(name: "WyomingTests", dependencies: ["HAP", "Wyoming"]),
        .testTarget(name: "ModelContextTests", dependencies: ["HAP", "ModelContext"]),
        .testTarget(name: "HomeTextTests", dependencies: ["HAPCatalog", "HomeModel", "HomeText", "HubAPI"]),
        .testTarget(
            name: "HomeHubTests",
            dependencies: [
                "AccessoryPeers", "AccessorySimulator", "AgeFile", "AirPlay", "AirPlayNetwork", "Consensus",
                "ControllerFiles",
                "DNSSD", "HAP", "HAPCatalog", "HAPClient", "HomeHub", "HomeIdentity", "HomeKit", "HomeKitTesting",
                "HomeModel", "HomeStore", "HomeText", "HubAPI", "Journal", "MediaRouting", "PeerProcess",
                "Replication", "SealedFeed",
                "WirelessSetup", logging, sqlite,
            ]
        ),
        .testTarget(name: "PrometheusMetricsTests", dependencies: ["PeerProcess", "PrometheusMetrics", metrics]),
        .testTarget(
            name: "HubClientTests",
            dependencies: [
                "HAPCatalog", "HomeModel", "HubAPI", "HubClient", "HubServer", "LocalRPC", "LocalRPCSockets",
                "WebServer", logging, nioCore, nioPosix,
            ]
        ),
        .testTarget(
            name: "ExternalAccessoryTests",
            dependencies: [
                "AccessorySimulator", "DNSSD", "ExternalAccessory", "HAP", "HAPServer", "HomeHub", "HomeKit",
                "HomeKitTesting", "HomeModel", "HubAPI", "PeerProcess", "WirelessSetup", logging,
            ]
        ),
        .testTarget(
            name: "HubNetworkTests",
            dependencies: [
                "HAP", "HomeIdentity", "HubAPI", "HubNetwork", "LocalRPC", "LocalRPCSockets", "NetworkDoors",
                "PeerProcess", "TLS", logging, nioCore, nioPosix,
            ]
        ),
        .testTarget(
            name: "HubServerTests",
            dependencies: [
                "AccessorySimulator", "Consensus", "DNSSD", "FeedFollowing", "HAP", "HAPCatalog", "HAPClient",
                "HAPServer",
                "HomeHub",
                "HomeIdentity",
                "HomeKitTesting", "HomeModel", "HomeStore", "HubAPI", "HubClient", "HubNetwork", "HubServer",
                "LocalRPC",
                "ModelContext", "PeerProcess", "RawHTTP", "Relay", "RelayAPI", "RelayClient", "Replication",
                "SealedFeed",
                "TLS", "WebServer", logging, nioCore, nioEmbedded, nioHTTPTypes,
            ]
        ),
        .testTarget(
            name: "HomeAgentTests",
            dependencies: [
                "AccessorySimulator", "DNSSD", "HAP", "HAPCatalog", "HAPServer", "HomeAgent", "HomeHub", "HomeIdentity",
                "HomeKitTesting", "HomeModel", "HostileRelay", "HubAPI", "HubClient", "HubNetwork", "HubServer",
                "LocalRPC", "LocalRPCSockets", "NetworkDoors", "PeerProcess", "Relay", "RelayAPI", "RelayClient",
                "Replication", "SealedFeed", "WebServer", logging, nioCore, sqlite,
            ]
        ),
        .testTarget(
            name: "RelayTests",
            dependencies: [
                "Consensus", "hearth", "HomeIdentity", "PeerProcess", "RawHTTP", "Relay", "RelayAPI", "RelayClient",
                "RelayPostgres", "TLS", "WebServer", crypto, httpTypes, logging, nioCore, sqlite,
            ]
        ),
        .testTarget(name: "CoreLocationTests", dependencies: ["CoreLocation"]),
        .testTarget(
            name: "AVFoundationTests",
            dependencies: [
                "AirPlay", "AirPlayNetwork", "AVFoundation", "AVKit", "DNSSD", "DesktopMedia", "HAP", "LocalRPC",
                "MediaPlayer", "MediaRouting", "PeerProcess", "RadioApp", "SamplesApp", "radio-app",
            ]
        ),
        .testTarget(name: "HomeKitTests", dependencies: ["HAPCatalog", "HomeKit", "HomeModel", "HubAPI", "HubClient"]),
        .testTarget(name: "HomeKitTestingTests", dependencies: ["HomeKit", "HomeKitTesting"]),
        .testTarget(
            name: "HomeKitSwift5Tests",
            dependencies: ["HomeKit", "KilgoApp"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(name: "HomeKitSwift6Tests", dependencies: ["HomeKit"]),
        .testTarget(
            name: "HomeKitBehaviorTests",
            dependencies: ["CatalogApp", "HomeKitTesting", "KilgoApp"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "HearthTests",
            dependencies: [
                "AccessoryCheck", "AccessoryPeers", "AccessorySimulator", "AgeFile", "FeedFollowing", "HAP",
                "HAPCatalog", "hearth", "HomeIdentity", "homekit-app", "HomeModel", "HomeStore", "HubAPI", "HubClient",
                "HubNetwork",
                "HubServer",
                "LocalRPC", "LocalRPCSockets", "NetworkLab", "PeerProcess", "RelayAPI", "RelayClient", logging, nioCore,
            ]
        ),
    ]
)

// Targets that represent apps compile without this package's settings, as apps do.
let apps = [
    "CatalogApp", "HomeKitSwift5Tests", "HomeKitSwift6Tests", "KilgoApp", "RadioApp", "SamplesApp", "radio-app",
]
for target in package.targets where target.type != .system && !apps.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}

// The targets that have or call all of Apple's API use deprecated API: Foundation on Linux deprecates the operators of
// predicates, which HMEventTrigger takes.
for target in package.targets
where ["HomeKit", "HomeKitTests", "HomeKitBehaviorTests", "HomeHubTests", "homekit-app"].contains(target.name) {
    target.swiftSettings?.append(.treatWarning("DeprecatedDeclaration", as: .warning))
}
