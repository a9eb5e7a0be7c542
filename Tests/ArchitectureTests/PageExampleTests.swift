import Foundation
import Testing

/// The code on the pages is code that is compiled and run: each block of Swift stands verbatim in a source file.
@Suite struct PageExampleTests {
    /// A page with examples.
    struct Page: Sendable, CustomTestStringConvertible {
        var path: String
        /// The files in which the blocks stand.
        var sources: [String]
        var minimumBlocks = 1

        var testDescription: String { path }
    }

    static let pages = [
        Page(
            path: "Documentation/Testing.md",
            sources: [
                "Tests/HomeKitTestingTests/TutorialTests.swift", "Examples/GarageDoor/Package.swift",
                "Examples/GarageDoor/Tests/GarageDoorTests/XCTestTests.swift",
            ],
            minimumBlocks: 8
        ),
        Page(
            path: "README.md",
            sources: ["Scripts/fresh-package", "Tests/HomeKitTestingTests/LampList.swift"],
            minimumBlocks: 2
        ),
        Page(
            path: "Sources/HomeKit/HomeKit.docc/HomeKit.md",
            sources: ["Tests/HomeKitTestingTests/LampList.swift"]
        ),
        Page(
            path: "Sources/HomeKit/HomeKit.docc/Automating-a-Home.md",
            sources: ["Tests/Support/CatalogApp/PageExamples.swift"],
            minimumBlocks: 2
        ),
        Page(
            path: "Sources/HomeKitTesting/HomeKitTesting.docc/HomeKitTesting.md",
            sources: ["Tests/HomeKitTestingTests/TutorialTests.swift"]
        ),
        Page(
            path: "Sources/CoreLocation/CoreLocation.docc/CoreLocation.md",
            sources: ["Tests/CoreLocationTests/PageExampleTests.swift"]
        ),
        Page(
            path: "Sources/ExternalAccessory/ExternalAccessory.docc/ExternalAccessory.md",
            sources: ["Tests/ExternalAccessoryTests/NewAccessories.swift"]
        ),
        Page(path: "Sources/HAP/HAP.docc/HAP.md", sources: ["Tests/HAPTests/Pairing/PageExampleTests.swift"]),
        Page(
            path: "Sources/HAPCatalog/HAPCatalog.docc/HAPCatalog.md",
            sources: ["Tests/HAPCatalogTests/PageExampleTests.swift"]
        ),
        Page(path: "Sources/DNSSD/DNSSD.docc/DNSSD.md", sources: ["Tests/DNSSDTests/PageExampleTests.swift"]),
        Page(
            path: "Sources/AVFoundation/AVFoundation.docc/AVFoundation.md",
            sources: ["Tests/AVFoundationTests/PageExampleTests.swift"]
        ),
        Page(
            path: "Sources/MediaPlayer/MediaPlayer.docc/MediaPlayer.md",
            sources: ["Tests/AVFoundationTests/PageExampleTests.swift"]
        ),
    ]

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: true)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    /// The blocks of Swift of a page, each as its lines without indentation.
    private static func blocks(_ path: String) throws -> [[String]] {
        var blocks: [[String]] = []
        var isInside = false
        for line in try lines(path) {
            if line == "```swift" {
                blocks.append([])
                isInside = true
            } else if line == "```" {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1].append(line)
            }
        }
        return blocks
    }

    @Test(arguments: pages)
    func everyBlockOfThePageIsCompiled(page: Page) throws {
        let blocks = try Self.blocks(page.path)
        let sources = try page.sources.map { try Self.lines($0) }
        #expect(blocks.count >= page.minimumBlocks)
        for block in blocks {
            let isCompiled = sources.contains { $0.contains(block) }
            #expect(isCompiled, "only on the page: \(block.joined(separator: "\n"))")
        }
    }
}
