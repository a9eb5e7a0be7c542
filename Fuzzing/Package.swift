// swift-tools-version: 6.2
import PackageDescription

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let hashTreeCollections = Target.Dependency.product(name: "HashTreeCollections", package: "swift-collections")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")

// A package of its own, for the flags below are refused in a package that others depend on. Its sources are links to
// those of the package above, so that the code under test itself is instrumented. `make fuzz` builds and runs it.
let package = Package(
    name: "hearth-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .target(name: "HAPCatalog", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .target(name: "CChaCha20"),
        .target(name: "HAP", dependencies: ["CChaCha20", "HAPCatalog", crypto]),
        .target(name: "DNSSD", dependencies: [nioCore, nioPosix]),
        .target(name: "WirelessSetup", dependencies: ["HAP", crypto, cryptoExtras]),
        .target(name: "ChannelSockets", dependencies: [nioCore]),
        .target(
            name: "HAPServer",
            dependencies: ["ChannelSockets", "DNSSD", "HAP", "HAPCatalog", "WirelessSetup", nioCore, nioPosix]
        ),
        .target(name: "HAPClient", dependencies: ["HAP", "HAPCatalog", "WirelessSetup", nioCore, nioPosix]),
        .target(name: "LocalRPC"),
        .target(
            name: "AccessorySimulator",
            dependencies: ["HAP", "HAPCatalog", "HAPClient", "HAPServer", "LocalRPC", "WirelessSetup"]
        ),
        .target(name: "ControllerFiles", dependencies: ["HAP"]),
        .target(name: "HomeIdentity", dependencies: ["HAP", crypto]),
        .target(name: "Consensus"),
        .target(name: "SealedFeed", dependencies: ["HAP", "HomeIdentity", crypto]),
        .target(name: "HomeModel", dependencies: ["HAPCatalog", hashTreeCollections]),
        .target(name: "HubAPI", dependencies: ["HAPCatalog", "HomeModel", "LocalRPC"]),
        .target(name: "Wyoming", dependencies: ["HAP"]),
        .target(name: "ModelContext", dependencies: ["HAP"]),
        .target(name: "Voice", dependencies: ["HomeModel"], exclude: ["Languages"]),
        .target(name: "AppleLossless"),
        .target(name: "AirPlay", dependencies: ["AppleLossless", "HAP", crypto]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AccessorySimulator", "AirPlay", "AppleLossless", "Consensus", "ControllerFiles", "DNSSD", "HAP",
                "HAPCatalog",
                "HAPServer", "HomeIdentity", "HomeModel", "HubAPI", "ModelContext", "SealedFeed", "Voice",
                "WirelessSetup", "Wyoming",
            ]
        ),
        .systemLibrary(name: "LibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: ["FuzzTargets", "LibFuzzer"],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
        ),
    ]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    // What the fuzzer learns from; the harness itself is left out.
    if target.name != "fuzz" && target.name != "FuzzTargets" {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"]))
    }
}
