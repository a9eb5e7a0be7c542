import Foundation
import HomeIdentity
import PeerProcess
import RawHTTP
import RelayAPI
import RelayClient
import Testing

/// `hearth relay` as a process: its start, its end, and its crash.
struct RelayProcessTests {
    @Test func whatWasAcknowledgedSurvivesKill() async throws {
        try await withFolder { folder in
            let (owner, house, feed) = (IdentityKey(), HouseID.random(), FeedID.random())
            var port = 0
            var writer = TestWriter(house: house, feed: feed)
            let acknowledged = Acknowledged()
            for round in 0..<4 {
                let relay = try await RelayProcess(in: folder, port: port)
                port = relay.port
                let client = try RelayClient(relay.url, as: owner)
                try await client.register(house, owners: [owner.publicKey])
                try await client.makeFeed(feed, in: house)
                // After the crash, an entry whose answer was lost is there or not: sent again, it is there once.
                let former = writer
                let writing = Task {
                    var writer = former
                    var lost: AppendItem?
                    for _ in 0..<10_000 {
                        let start = writer
                        let item = writer.next()
                        guard let result = try? await client.append([item], to: house).first else {
                            lost = item
                            writer = start
                            break
                        }
                        guard case .appended = result else { break }
                        acknowledged.add(item.bytes)
                    }
                    return (writer, lost)
                }
                let wanted = acknowledged.all.count + 20 + 7 * round
                try await Wait.until("enough entries are acknowledged") { acknowledged.all.count >= wanted }
                await relay.kill()
                let (reached, lost) = await writing.value
                writer = reached
                let again = try await RelayProcess(in: folder, port: port)
                let reader = try RelayClient(again.url, as: owner)
                if let lost {
                    #expect(try await reader.append([lost], to: house) == [.appended(seq: writer.seq + 1)])
                    acknowledged.add(lost.bytes)
                    writer.seq += 1
                    writer.head = EntryDigest(of: lost.bytes)
                }
                var read: [Data] = []
                while case let page = try await reader.entries(of: feed, in: house, after: Int64(read.count)),
                    !page.isEmpty
                {
                    read += page
                }
                #expect(read == acknowledged.all)
                await again.stop()
            }
        }
    }

    @Test func aFolderHasOneRelayAtATime() async throws {
        try await withFolder { folder in
            let relay = try await RelayProcess(in: folder)
            let data = folder.appending(path: "relay").path
            let second = try PeerProcess(RelayProcess.hearth, ["relay", "--data", data, "--http", "0"])
            let status = await second.exit()
            #expect(status == 1 && second.transcript.contains("alreadyRunning"))
            #expect(second.transcript.contains("A relay already runs with the data in \(data)"))
            // A token can be made while the relay runs, and works at once.
            await relay.stop()
            let closed = try await RelayProcess(in: folder, isOpen: false)
            let maker = try PeerProcess(RelayProcess.hearth, ["relay", "token", "--data", data])
            let token = try await maker.line("the token") { $0.hasPrefix("hearth-relay-") }
            let owner = IdentityKey()
            let client = try RelayClient(closed.url, as: owner)
            #expect(
                await refusal { try await client.register(.random(), owners: [owner.publicKey]) }
                    == .registrationRefused
            )
            try await client.register(.random(), owners: [owner.publicKey], token: token)
            await closed.stop()
        }
    }

    @Test func aRelayIsNeverPlainBeyondThisMachine() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "relay").path
            for arguments in [
                ["--http", "0.0.0.0:0"], ["--http", "[::]:0"], ["--http", "0", "--tls-key", "key.pem"],
            ] {
                let relay = try PeerProcess(RelayProcess.hearth, ["relay", "--data", data] + arguments)
                #expect(await relay.exit() == 2, "\(arguments)")
            }
            #expect(!FileManager.default.fileExists(atPath: data))
        }
    }

    @Test func aStoreThatCantBeUsedStopsTheStart() async throws {
        try await withFolder { folder in
            let data = folder.appending(path: "relay")
            try FileManager.default.createDirectory(
                at: data,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try Data("not a database, but long enough to look like one".utf8).write(
                to: data.appending(path: "relay.sqlite")
            )
            let relay = try PeerProcess(RelayProcess.hearth, ["relay", "--data", data.path, "--http", "0"])
            #expect(await relay.exit() == 1)
            #expect(relay.transcript.contains("storeFailure") && relay.transcript.contains("relay.sqlite"))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data.path)
            let open = try PeerProcess(RelayProcess.hearth, ["relay", "--data", data.path, "--http", "0"])
            #expect(await open.exit() == 1)
            #expect(open.transcript.contains("chmod 700"))
        }
    }

    @Test func theMetricsNameNoHouseAndNoKey() async throws {
        try await withFolder { folder in
            let relay = try await RelayProcess(in: folder, ["--metrics", "0"])
            let (owner, house, feed) = (IdentityKey(), HouseID.random(), FeedID.random())
            let client = try RelayClient(relay.url, as: owner)
            try await client.register(house, owners: [owner.publicKey])
            try await client.makeFeed(feed, in: house)
            var writer = TestWriter(house: house, feed: feed)
            _ = try await client.append([writer.next(), writer.next()], to: house)
            let port = try #require(relay.metrics?.split(separator: ":").last.flatMap { Int($0) })
            let connection = try HTTPConnection(port: port)
            try await connection.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            let text = String(decoding: try await connection.response().body, as: UTF8.self)
            #expect(text.contains("hearth_relay_entries_total 2\n"))
            #expect(text.contains("hearth_relay_houses 1\n") && text.contains("hearth_relay_feeds 1\n"))
            #expect(text.contains(#"hearth_relay_requests_total{route="append",status="2xx"} 1"#))
            for name in [house.description, feed.description, owner.publicKey.base64] { #expect(!text.contains(name)) }
            await relay.stop()
        }
    }
}
