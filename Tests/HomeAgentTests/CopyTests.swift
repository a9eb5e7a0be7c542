import Foundation
import GRDB
import HomeAgent
import HomeModel
import HubAPI
import Testing

@Suite struct CopyTests {
    @Test func nobodyElseCanReadTheCopy() async throws {
        try await AgentLab.run { lab in
            let files = FileManager.default
            let folder = lab.folder.appending(path: "agent")
            for case let name as String in files.enumerator(atPath: folder.path) ?? FileManager.DirectoryEnumerator() {
                let path = folder.appending(path: name).path
                let mode = try #require(files.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)
                #expect(mode.intValue & 0o077 == 0, "\(name)")
            }
        }
    }

    @Test func aDamagedCopyIsMadeAnew() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            _ = try await direct.call(HubMethods.addHome, AddHome(name: "Villa"))
            let expected = try direct.state.canonical
            try await lab.copyHas(expected)
            lab.agent.stop()
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: lab.copyPath + suffix) }
            try Data(repeating: 7, count: 8_192).write(to: URL(filePath: lab.copyPath))
            try lab.startAgentAgain()
            try await lab.nearAgain()
            try await lab.copyHas(expected)
            lab.way.cut()
            try await lab.away()
            try lab.restartAgent()
            let app = lab.app()
            try await app.welcome()
            #expect(try app.state.canonical == expected)
        }
    }

    @Test func aCopyOfANewerVersionIsLeftAlone() async throws {
        try await AgentLab.run { lab in
            lab.agent.stop()
            let path = lab.copyPath
            try await DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 99") }
            try lab.startAgentAgain()
            try await lab.nearAgain()
            let direct = lab.direct()
            try await direct.welcome()
            _ = try await direct.call(HubMethods.addHome, AddHome(name: "Villa"))
            try await lab.copyHas(try direct.state.canonical)
            // It goes on in memory.
            lab.way.cut()
            try await lab.away()
            let app = lab.app()
            try await app.welcome()
            #expect(try app.state.canonical == direct.state.canonical)
            lab.agent.stop()
            let version = try await DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            #expect(version == 99)
            try lab.startAgentAgain()
        }
    }

    @Test(arguments: [1, 2, 3])
    func theCopyFollowsTheHubThroughCutsAndRestarts(seed: UInt64) async throws {
        try await AgentLab.run { lab in
            var random = SplitMix(state: seed)
            let direct = lab.direct()
            try await direct.welcome()
            let app = lab.app(retries: true)
            try await app.welcome()
            var homes: [UUID] = []
            for step in 0..<40 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    homes.append(try await direct.call(HubMethods.addHome, AddHome(name: "Home \(step)")).id)
                case 1 where homes.count > 1:
                    let home = homes.remove(at: Int.random(in: homes.indices, using: &random))
                    _ = try await direct.call(HubMethods.removeHome, HomeTarget(home: home))
                case 2...5:
                    guard let home = homes.randomElement(using: &random) else { continue }
                    _ = try await direct.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Room \(step)")))
                case 6:
                    guard let home = homes.randomElement(using: &random),
                        let room = direct.state.homes[home]?.rooms.map(\.id).first
                    else { continue }
                    _ = try await direct.call(HubMethods.removeRoom, InHome(home, RemoveRoom(room)))
                case 7: lab.way.cut()
                case 8: lab.way.mend()
                default:
                    // The data stay as they are at this moment, as after a kill.
                    try lab.restartAgent()
                    app.close()
                }
            }
            lab.way.mend()
            let expected = try direct.state.canonical
            try await lab.copyHas(expected)
            lab.way.cut()
            try await lab.away()
            try lab.restartAgent()
            let last = lab.app()
            try await last.welcome()
            #expect(try last.state.canonical == expected)
        }
    }
}

extension AgentLab {
    /// The path of the copy of the first hub.
    var copyPath: String {
        let id = agent.hubs.first?.record.id.uuidString ?? ""
        return folder.appending(path: "agent/hubs/\(id)/copy.sqlite").path
    }
}
