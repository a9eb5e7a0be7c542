import Foundation
import HubAPI
import LocalRPC
import Testing

/// The sources of the hub's method table. Tests compare it with their own tables, to find methods that they don't cover.
enum MethodSource {
    private struct Row {
        var name: String
        var caller: String
        var hub: MethodHub
        var isDurable: Bool
    }

    /// The ``HubAPI/MethodAudience`` of each method, by the method's name.
    static var callers: [String: String] {
        get throws {
            Dictionary(try rows.map { ($0.name, $0.caller) }) { first, _ in
                Issue.record("A name occurs twice.")
                return first
            }
        }
    }

    /// The parameter types with a property for a host or a port.
    static var parametersThatNameHosts: [String] {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let files = try ["Sources/HubAPI/Methods", "Sources/HomeModel/Requests"].flatMap { folder in
                let folder = root.appending(path: folder)
                return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            }
            return try files.flatMap { file in
                try String(contentsOf: file, encoding: .utf8).components(separatedBy: "package struct ").dropFirst()
                    .filter { $0.contains(/(?i)package var (host|port|address|url|uri|endpoint|ip)(s|es)?\b/) }
                    .compactMap { $0.prefixMatch(of: /\w+/).map { String($0.output) } }
            }
        }
    }

    /// The names of the methods whose requests are recognized after a restart.
    static var durable: Set<String> {
        get throws { Set(try rows.filter(\.isDurable).map(\.name)) }
    }

    /// For each method, which of two hubs carries it out.
    static var hubs: [String: MethodHub] {
        get throws { Dictionary(uniqueKeysWithValues: try rows.map { ($0.name, $0.hub) }) }
    }

    private static var rows: [Row] {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let folder = root.appending(path: "Sources/HubAPI/Methods")
            let source = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.lastPathComponent.hasPrefix("HubMethods") }
                .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
            let row =
                /Method<[^(]*>\(\s*"([A-Za-z.]+)",\s*for: \.(apps|people),\s*by: \.\w+,\s*from: \.\w+(?:,\s*on: \.(leader|leaderIfAny))?(,\s*isDurable: true)?\s*\)/
            let rows = source.matches(of: row).map { match in
                Row(
                    name: String(match.output.1),
                    caller: String(match.output.2),
                    hub: match.output.3.map { $0 == "leader" ? .leader : .leaderIfAny } ?? .reached,
                    isDurable: match.output.4 != nil
                )
            }
            #expect(rows.count == source.matches(of: /package static let \w+ = Method</).count)
            return rows
        }
    }
}
