// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses or tests Hearth builds it.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "hearth", path: "..")],
    targets: [
        // A link to the tests' support code.
        .target(name: "PeerProcess"),
        .executableTarget(
            name: "hearth-bench",
            dependencies: [
                "PeerProcess", .product(name: "HAP", package: "hearth"), .product(name: "HomeKit", package: "hearth"),
            ]
        ),
        // It has the measuring in common with the other by a link.
        .executableTarget(
            name: "discovery-bench",
            dependencies: ["PeerProcess", .product(name: "DNSSD", package: "hearth")]
        ),
    ]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
