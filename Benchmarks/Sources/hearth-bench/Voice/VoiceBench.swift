import Foundation
import PeerProcess

/// Measures how `hearth say` understands sentences, next to hassil with Home Assistant's sentences.
struct VoiceBench {
    /// The number of repetitions.
    struct Effort {
        var rounds = 20
        /// The accessories of the homes: a usual one, and a large one.
        var homes = (usual: 30, large: 1_000)

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(rounds: 3, homes: (30, 300))
    }

    /// A line that `hearth say` prints for a sentence.
    private struct Understood: Decodable {
        var id: String
        var ms: Double
    }

    let programs: Programs
    let effort: Effort
    let folder: URL
    private(set) var figures = VoiceFigures()

    init(programs: Programs, effort: Effort, folder: URL) {
        self.programs = programs
        self.effort = effort
        self.folder = folder
    }

    mutating func run() async throws {
        let homes = folder.appending(path: "homes.jsonl")
        let sizes = [effort.homes.usual, effort.homes.large]
        try sizes.map(VoiceSentences.home).joined(separator: "\n").write(to: homes, atomically: true, encoding: .utf8)
        for _ in 0..<effort.rounds {
            figures.usual.add(try await times(homes, VoiceSentences.all, of: effort.homes.usual))
            figures.large.add(try await times(homes, VoiceSentences.all, of: effort.homes.large))
        }
        try await measureFirst(homes)
        try await measureHassil()
    }

    /// The time of each sentence but the first of each language, in milliseconds.
    private func times(_ homes: URL, _ sentences: [VoiceSentences.Line], of size: Int) async throws -> [Double] {
        let lines = try write(sentences + sentences, of: size)
        let process = try PeerProcess(programs.hearth, ["say", "--homes", homes.path(), lines.path()])
        var times: [Double] = []
        for index in 0..<(sentences.count * 2) {
            let line = try await process.json(Understood.self, "sentence \(index)") { $0.id == "\(index)" }
            if index >= sentences.count { times.append(line.ms) }
        }
        _ = await process.exit()
        return times
    }

    /// Measures what a language's first sentence takes, its words and the home's names included: the time of a process
    /// with a sentence, without that of a process with none.
    private mutating func measureFirst(_ homes: URL) async throws {
        let none = try write([], of: effort.homes.usual, named: "none")
        for language in VoiceSentences.languages {
            let one = try write(
                [VoiceSentences.all.first { $0.language == language }].compactMap(\.self),
                of: effort.homes.usual
            )
            var (with, without) = (Samples(), Samples())
            for _ in 0..<effort.rounds {
                without.add(try await duration(homes, none))
                with.add(try await duration(homes, one))
            }
            figures.first.add(max(0, with.median - without.median))
        }
    }

    private func duration(_ homes: URL, _ lines: URL) async throws -> Double {
        let start = ContinuousClock.now
        let process = try PeerProcess(programs.hearth, ["say", "--homes", homes.path(), lines.path()])
        _ = await process.exit()
        return (ContinuousClock.now - start) / .milliseconds(1)
    }

    /// Measures hassil, if the Python has it and Home Assistant's sentences.
    private mutating func measureHassil() async throws {
        let script = programs.folder.appending(path: "Peers/hassil_sentences.py")
        let process = try PeerProcess(programs.python, [script.path(), "\(effort.rounds)"])
        struct Times: Decodable {
            var first: Double?
            var times: [Double]
        }
        guard let times = try? await process.json(Times.self, "times", where: { _ in true }) else { return }
        _ = await process.exit()
        figures.hassil.add(times.times)
        if let first = times.first { figures.hassilFirst.add(first) }
    }

    private func write(_ sentences: [VoiceSentences.Line], of size: Int, named name: String = "sentences") throws -> URL
    {
        let file = folder.appending(path: "\(name).jsonl")
        let lines = sentences.enumerated().map { $1.json(id: $0, home: size) }
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        return file
    }
}
