import Foundation
import Testing

/// Runs the fuzz targets with the stored corpus: inputs that cover code that no other input covers, and inputs that
/// once revealed a defect.
@Suite struct CorpusTests {
    @Test(arguments: FuzzTarget.all)
    func whatATargetPromisesHoldsOfEveryKeptInput(target: FuzzTarget) throws {
        var outcomes: Set<Bool> = []
        for file in try Self.files(of: target.name) {
            let input = Array(try Data(contentsOf: file))
            do {
                outcomes.insert(try target.run(input))
            } catch {
                Issue.record("\(target)/\(file.lastPathComponent): \(error)")
            }
        }
        // If all inputs were rejected, or all accepted, only half of a reader would be tested.
        #expect(outcomes == [true, false])
    }

    @Test func everyKeptInputBelongsToATarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
    }

    @Test func theKeptInputsStaySmall() throws {
        var total = 0
        for target in FuzzTarget.all {
            let sizes = try Self.files(of: target.name).map { try Data(contentsOf: $0).count }
            #expect(sizes.filter { $0 > target.maximumLength }.isEmpty, "\(target) has an input that is too long")
            #expect(sizes.count <= 500, "\(target) has \(sizes.count) inputs; keep what another does not reach")
            total += sizes.reduce(0, +)
        }
        #expect(total <= 1_500_000)
    }

    @Test func aPromiseThatIsBrokenIsFound() {
        let target = FuzzTarget("broken", maximumLength: 1) { input throws(Violation) in
            try hold(input.isEmpty, "an input is empty")
            return true
        }
        #expect(throws: Never.self) { try target.run([]) }
        let violation = #expect(throws: Violation.self) { try target.run([1]) }
        #expect(violation?.description == "an input is empty")
    }

    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus")

    private static func files(of target: String) throws -> [URL] {
        let folder = corpus.appending(path: target)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
