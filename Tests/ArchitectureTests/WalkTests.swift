import Foundation
import Testing

/// The ways through the code in `CONTRIBUTING.md`.
struct WalkTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func everyFileOfTheFourWaysExists() throws {
        let page = try String(contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
        let start = try #require(page.range(of: "## Four Ways Through the Code")).upperBound
        let end = try #require(page[start...].range(of: "\n## ")).lowerBound
        let section = page[start..<end]
        #expect(section.components(separatedBy: "\n### ").count == 5)
        let files = section.matches(of: /`([A-Za-z]+\/[^`]+\.swift)`/).map { String($0.1) }
        #expect(files.count > 40)
        for file in files {
            let path = Self.root.appending(path: "Sources").appending(path: file).path
            #expect(FileManager.default.fileExists(atPath: path), "\(file)")
        }
    }
}
