import Foundation
import HomeModel
import HomeText
import Testing

/// The page about automations.
struct AutomationsPageTests {
    /// The texts in the first columns of the page's tables.
    private static var examples: [String] {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let page = try String(contentsOf: root.appending(path: "Documentation/Automations.md"), encoding: .utf8)
            return page.split(separator: "\n").compactMap { line in
                line.hasPrefix("| `") ? line.split(separator: "`").dropFirst().first.map { String($0) } : nil
            }
        }
    }

    @Test func everyExampleIsUnderstoodAndAllowed() throws {
        let examples = try Self.examples
        #expect(examples.count > 30)
        let home = TextHome.shared
        let owner = Caller(user: home.ann, device: UUID(), app: "test", client: UUID())
        for example in examples {
            #expect(throws: Never.self, "\(example)") {
                let definition = try home.parse(example)
                _ = try home.home.decide(AddTrigger(name: "Test", definition), by: owner, at: TextHome.now)
                #expect(try home.parse(home.sentence.when(definition)) == definition, "\(example)")
            }
        }
    }

    @Test func limitsAreThoseOfTheParser() throws {
        #expect(WhenParser.maximumLength == 2_000 && WhenParser.maximumDepth == 20)
    }
}
