import AccessoryPeers
import DNSSD
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

/// Tests a server with aiohomekit as its controller in a separate process.
@Suite struct AiohomekitTests {
    @Test func itPairsListsReadsWritesListensAndUnpairs() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            try await AiohomekitController.run { peer in
                try await peer.ask("identify-unpaired", #""port":\#(server.port),"id":"\#(server.server.deviceID)""#)
                #expect(await server.events == [.identify(accessory: "Lamp")])

                try await peer.pair(server)
                #expect(await server.server.isPaired)
                #expect(await server.server.announcement["sf"] == "0")

                let listed = try await peer.ask("list").accessories
                let ours = await server.server.database.attributes.accessories
                #expect(listed?.map(\.aid) == ours.map(\.aid))
                #expect(listed?.first?.services.map(\.iid) == ours.first?.services.map(\.iid))
                #expect(
                    listed?.first?.services.map { HAPType($0.type) } == ours.first?.services.map { $0.type }
                )

                let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
                let read = try await peer.ask("read", #""ids":["\#(on)","\#(brightness)","1.9999"]"#).results
                #expect(read?["\(on)"]?.value?.converted(to: .bool) == .bool(false))
                #expect(read?["\(brightness)"] == AiohomekitController.Outcome(value: .integer(50)))
                #expect(read?["1.9999"]?.status == HAPStatus.noSuchResource.rawValue)

                let written = try await peer.ask("write", #""values":{"\#(on)":true,"\#(brightness)":100}"#)
                #expect(written.results == [:])
                #expect(try await server.server.value(of: .brightness) == .integer(100))
                let refused = try await peer.ask("write", #""values":{"\#(brightness)":101}"#)
                #expect(refused.results?["\(brightness)"]?.status == HAPStatus.invalidValue.rawValue)

                let button = try await server.id(.button)
                let subscribed = try await peer.ask("subscribe", #""ids":["\#(brightness)","\#(button)"]"#)
                #expect(subscribed.results == [:])
                try await server.server.update(.integer(3), of: .brightness)
                #expect(try await peer.changes() == ["\(brightness)": .integer(3)])
                try await server.server.update(.integer(0), of: .button)
                try await server.server.update(.integer(0), of: .button)
                #expect(try await peer.changes() == ["\(button)": .integer(0)])
                #expect(try await peer.changes() == ["\(button)": .integer(0)])

                #expect(try await peer.ask("pairings").pairings?.map(\.permissions) == [1])
                try await peer.ask("remove")
                #expect(await !server.server.isPaired)
                #expect(await server.server.announcement["sf"] == "1")
                try await peer.pair(server)
            }
        }
    }

    @Test func itAddsAnotherControllerThatIsServedUntilItIsRemoved() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            try await AiohomekitController.run { admin in
                try await admin.pair(server)
                let brightness = try await server.id(.brightness)
                let added = try await admin.ask("add-pairing", #""name":"USER-1","permissions":"User""#)
                let data = try #require(added.data)
                let pairings = try #require(try await admin.ask("pairings").pairings)
                #expect(pairings.map(\.permissions) == [1, 0])
                #expect(pairings.last?.pairingId == "USER-1")

                try await AiohomekitController.run { user in
                    try await user.ask("load", #""port":\#(server.port),"data":\#(data)"#)
                    try await admin.ask("subscribe", #""ids":["\#(brightness)"]"#)
                    try await user.ask("subscribe", #""ids":["\#(brightness)"]"#)
                    #expect(try await user.ask("write", #""values":{"\#(brightness)":7}"#).results == [:])
                    #expect(try await admin.changes() == ["\(brightness)": .integer(7)])
                    #expect(try await admin.ask("write", #""values":{"\#(brightness)":8}"#).results == [:])
                    #expect(try await user.changes() == ["\(brightness)": .integer(8)])

                    let secret = try await server.id("Special", TestAccessories.adminOnly)
                    let refused = try await user.ask("read", #""ids":["\#(secret)"]"#).results
                    #expect(refused?["\(secret)"]?.status == HAPStatus.insufficientPrivileges.rawValue)
                    let failure = await #expect(throws: AiohomekitController.Failure.self) {
                        try await user.ask("add-pairing", #""name":"USER-2","permissions":"Admin""#)
                    }
                    #expect(failure?.line.error == "AuthenticationError")

                    try await admin.ask("remove-pairing", #""name":"USER-1""#)
                    await #expect(throws: AiohomekitController.Failure.self) {
                        try await user.ask("read", #""ids":["\#(brightness)"]"#)
                    }
                }
                #expect(try await admin.ask("pairings").pairings?.map(\.permissions) == [1])
                let read = try await admin.ask("read", #""ids":["\#(brightness)"]"#).results
                #expect(read == ["\(brightness)": AiohomekitController.Outcome(value: .integer(8))])
            }
        }
    }

    @Test func anotherAdminManagesThePairingsAndTheLastOneTakesAllOthersAlong() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            try await AiohomekitController.run { first in
                try await first.pair(server)
                let id = try await server.id(.brightness)
                let secondData = try await first.ask("add-pairing", #""name":"SECOND","permissions":"Admin""#).data
                let firstID = try #require(try await first.ask("pairings").pairings?.first?.pairingId)
                try await AiohomekitController.run { second in
                    try await second.ask("load", #""port":\#(server.port),"data":\#(try #require(secondData))"#)
                    #expect(try await second.ask("pairings").pairings?.map(\.permissions) == [1, 1])
                    try await second.ask("remove-pairing", #""name":"\#(firstID)""#)
                    await #expect(throws: AiohomekitController.Failure.self) {
                        try await first.ask("read", #""ids":["\#(id)"]"#)
                    }
                    // Remove a pairing that no longer exists.
                    try await second.ask("remove-pairing", #""name":"\#(firstID)""#)

                    let userData = try await second.ask("add-pairing", #""name":"USER","permissions":"User""#).data
                    try await AiohomekitController.run { user in
                        try await user.ask("load", #""port":\#(server.port),"data":\#(try #require(userData))"#)
                        #expect(try await user.ask("read", #""ids":["\#(id)"]"#).results?.count == 1)
                        try await second.ask("remove")
                        await #expect(throws: AiohomekitController.Failure.self) {
                            try await user.ask("read", #""ids":["\#(id)"]"#)
                        }
                    }
                }
                #expect(await !server.server.isPaired)
                #expect(await server.server.announcement["sf"] == "1")
                try await first.pair(server)
            }
        }
    }

    @Test func itWritesInTimeUnsubscribesAndIdentifies() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            try await AiohomekitController.run { peer in
                try await peer.pair(server)
                let timed = try await server.id("Special", TestAccessories.timed)
                let plain = try await peer.ask("write", #""values":{"\#(timed)":3}"#).results
                #expect(plain?["\(timed)"]?.status == HAPStatus.invalidValue.rawValue)
                let prepared = #""pid":18446744073709551615,"values":{"\#(timed)":3}"#
                #expect(try await peer.ask("timed-write", #""ttl":60000,\#(prepared)"#).results == [:])
                let late = try await peer.ask("timed-write", #""ttl":0,\#(prepared)"#).results
                #expect(late?["\(timed)"]?.status == HAPStatus.invalidValue.rawValue)

                let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
                try await peer.ask("subscribe", #""ids":["\#(on)","\#(brightness)"]"#)
                #expect(try await peer.ask("unsubscribe", #""ids":["\#(on)"]"#).results == [:])
                try await server.server.update(.bool(true), of: .on)
                try await server.server.update(.integer(9), of: .brightness)
                #expect(try await peer.changes() == ["\(brightness)": .integer(9)])

                #expect(try await peer.ask("identify").done == true)
                #expect(await server.events.contains(.identify(accessory: "Lamp")))
            }
        }
    }

    @Test func itIsToldThatTheCodeIsWrong() async throws {
        try await TestServer.run(storage: MemoryStorage()) { server in
            try await AiohomekitController.run { peer in
                let failure = await #expect(throws: AiohomekitController.Failure.self) {
                    _ = try await peer.pair(server, code: "314-15-927")
                }
                #expect(failure?.line.error == "AuthenticationError")
                #expect(await !server.server.isPaired)
                try await peer.pair(server)
            }
        }
    }

    @Test func itIsToldThatTheAccessoryIsPaired() async throws {
        try await TestServer.run { server in
            try await AiohomekitController.run { peer in
                let failure = await #expect(throws: AiohomekitController.Failure.self) { try await peer.pair(server) }
                #expect(failure?.line.error == "UnavailableError")
            }
        }
    }

    @Test func itFindsItsPairingAfterOurRestart() async throws {
        let storage = MemoryStorage()
        try await AiohomekitController.run { peer in
            try await TestServer.run(storage: storage) { server in try await peer.pair(server) }
            try await TestServer.run(storage: storage) { server in
                try await peer.ask("reconnect", #""port":\#(server.port)"#)
                let id = try await server.id(.brightness)
                let read = try await peer.ask("read", #""ids":["\#(id)"]"#).results
                #expect(read == ["\(id)": AiohomekitController.Outcome(value: .integer(50))])
            }
        }
    }

    @Test func aFullBridgeIsListedWhole() async throws {
        var accessories = [
            HostedAccessory(key: "Bridge", information: TestAccessories.information("Bridge"), services: [])
        ]
        accessories += (1..<HAPLimits.accessories).map { TestAccessories.lamp("Lamp \($0)") }
        try await TestServer.run(accessories, storage: MemoryStorage()) { server in
            try await AiohomekitController.run { peer in
                try await peer.pair(server)
                let listed = try await peer.ask("list").accessories
                #expect(listed?.map(\.aid) == Array(1...UInt64(HAPLimits.accessories)))
            }
        }
    }
}

extension AiohomekitController {
    /// Pairs with a server.
    fileprivate func pair(_ server: TestServer, code: String = TestServer.code) async throws {
        try await pair(port: server.port, id: server.server.deviceID.description, code: code)
    }
}
