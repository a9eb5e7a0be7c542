// swift-tools-version: 6.2
import PackageDescription


let package = Package(
    name: "hearth",
    platforms: [.macOS(.v15)],
    dependencies: [
    ],
    targets: [
        // Rounding of doubles needs libm; nothing else that the target links brings it in.
        .target(name: "HAPCatalog", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

        // Tests, and the programs that they run beside themselves.
        .testTarget(name: "HAPCatalogTests", dependencies: ["HAPCatalog"]),
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
