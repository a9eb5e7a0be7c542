// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that using or testing Hearth doesn't build it.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "hearth", path: "..")],
    targets: [
        // A symbolic link to the tests' support code.
        .target(name: "PeerProcess"),
        .executableTarget(
            name: "hearth-bench",
            dependencies: [
                "PeerProcess", .product(name: "HAP", package: "hearth"), .product(name: "HomeKit", package: "hearth"),
            ]
        ),
        // Shares its Measuring folder with hearth-bench by a symbolic link.
        .executableTarget(
            name: "discovery-bench",
            dependencies: [
                "PeerProcess", .product(name: "DNSSD", package: "hearth"), .product(name: "HAP", package: "hearth"),
            ]
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
