// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "garage-door",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In your own app, use a version instead: .package(url: "https://…/hearth", from: "…").
        .package(name: "hearth", path: "../..")
    ],
    targets: [
        .target(
            name: "GarageDoor",
            // On Apple's platforms, the system's own module is used.
            dependencies: [.product(name: "HomeKit", package: "hearth", condition: .when(platforms: [.linux]))]
        ),
        .executableTarget(name: "garage-door", dependencies: ["GarageDoor"]),
        .testTarget(
            name: "GarageDoorTests",
            dependencies: ["GarageDoor", .product(name: "HomeKitTesting", package: "hearth")]
        ),
    ]
)
