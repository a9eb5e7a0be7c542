import Foundation
import Testing

/// The tutorial's code is code that is compiled and run.
@Suite struct DocumentTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: true)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    @Test func everyBlockOfTheTutorialIsCompiled() throws {
        var blocks: [[String]] = []
        var isInside = false
        for line in try Self.lines("Documentation/Testing.md") {
            if line == "```swift" {
                blocks.append([])
                isInside = true
            } else if line == "```" {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1].append(line)
            }
        }
        let sources = [
            try Self.lines("Tests/HomeKitTestingTests/TutorialTests.swift"),
            try Self.lines("Examples/GarageDoor/Package.swift"),
            try Self.lines("Examples/GarageDoor/Tests/GarageDoorTests/XCTestTests.swift"),
        ]
        #expect(blocks.count >= 8)
        for block in blocks {
            let isCompiled = sources.contains { $0.contains(block) }
            #expect(isCompiled, "this is in the tutorial only: \(block.joined(separator: "\n"))")
        }
    }
}
