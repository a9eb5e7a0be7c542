import Foundation
import HomeIdentity
import PeerProcess
import Relay
import RelayAPI
import RelayClient
import TLS
import Testing
import WebServer

/// A relay and its client, over real sockets.
struct RelayClientTests {
    @Test func aHubPublishesAndADeviceReads() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let key = IdentityKey()
            let device = try relay.client(key)
            let list = ReaderList(seq: 1, readers: [.init(key.publicKey, [.read, .pipe])])
            try await hub.setReaders(list, of: relay.feed, in: relay.house)
            var writer = relay.writer
            let items = [writer.next(base: true), writer.next(), writer.next()]
            #expect(try await hub.append(items, to: relay.house) == (1...3).map { .appended(seq: $0) })
            #expect(try await hub.append([items[2]], to: relay.house) == [.appended(seq: 3)])
            let status = try await device.status(of: relay.feed, in: relay.house)
            #expect(status == FeedStatus(seq: 3, head: writer.head, gen: 1, base: 1))
            #expect(try await device.entries(of: relay.feed, in: relay.house, after: 0) == items.map(\.bytes))
            #expect(try await device.entries(of: relay.feed, in: relay.house, after: 1, limit: 1) == [items[1].bytes])
            #expect(try await device.entries(of: relay.feed, in: relay.house, after: 3) == [])
            let id = UUID()
            let envelope = StoredEnvelope(generation: 1, device: id, bytes: Data("sealed".utf8))
            try await hub.setEnvelope(envelope, of: relay.feed, in: relay.house)
            #expect(try await device.envelope(1, to: id, of: relay.feed, in: relay.house) == envelope.bytes)
            try await hub.setBeat(Data("beat".utf8), of: relay.feed, in: relay.house)
            #expect(try await device.status(of: relay.feed, in: relay.house).beat == Data("beat".utf8))
            // What a reader may not do.
            #expect(await refusal { _ = try await device.append([writer.item()], to: relay.house) } == .notFound)
            #expect(await refusal { try await device.setBeat(Data([1]), of: relay.feed, in: relay.house) } == .notFound)
            #expect(await refusal { _ = try await device.vault(of: relay.house) } == .notFound)
        }
    }

    @Test func aVaultIsStoredInPieces() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let pieces = (1...3).map { Data(repeating: UInt8($0), count: RelayLimits.vaultPieceBytes) }
            for (index, bytes) in pieces.enumerated() {
                let piece = VaultPiece(version: 5, piece: index + 1, pieces: 3, bytes: bytes)
                try await hub.setPiece(piece, in: relay.house)
            }
            let versions = try await hub.vault(of: relay.house).versions
            #expect(versions == [VaultStatus.Version(version: 5, pieces: 3, isComplete: true)])
            for (index, bytes) in pieces.enumerated() {
                #expect(try await hub.piece(index + 1, version: 5, of: relay.house) == bytes)
            }
            let large = Data(count: RelayLimits.vaultPieceBytes + 1)
            let piece = VaultPiece(version: 6, piece: 1, pieces: 1, bytes: large)
            #expect(await refusal { try await hub.setPiece(piece, in: relay.house) } == .tooLarge)
            let many = VaultPiece(version: 6, piece: 1, pieces: HouseQuota.home.vaultPieces + 1, bytes: Data([1]))
            #expect(await refusal { try await hub.setPiece(many, in: relay.house) } == .quotaExceeded)
        }
    }

    @Test func aRequestThatWaitsGetsTheNextEntry() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            var writer = relay.writer
            let reader = try relay.client()
            async let waiting = reader.entries(of: relay.feed, in: relay.house, after: 0, waitingFor: 50)
            // The other request waits when this one is refused nothing, or comes a moment later: both must get the entry.
            let item = writer.next()
            _ = try await hub.append([item], to: relay.house)
            #expect(try await waiting == [item.bytes])
            // Without an entry, it ends after its time.
            #expect(try await reader.entries(of: relay.feed, in: relay.house, after: 1, waitingFor: 1) == [])
        }
    }

    @Test func aRequestThatWaitsEndsWhenItsKeyIsRemoved() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let key = IdentityKey()
            let device = try relay.client(key)
            try await hub.setReaders(
                ReaderList(seq: 1, readers: [.init(key.publicKey, .read)]),
                of: relay.feed,
                in: relay.house
            )
            async let code = refusal {
                _ = try await device.entries(of: relay.feed, in: relay.house, after: 0, waitingFor: 50)
            }
            try await hub.setReaders(ReaderList(seq: 2, readers: []), of: relay.feed, in: relay.house)
            #expect(await code == .notFound)
        }
    }

    // MARK: Streams

    @Test func aStreamTellsEachChange() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            var writer = relay.writer
            _ = try await hub.append([writer.next()], to: relay.house)
            var events = hub.live(relay.house, feed: relay.feed).makeAsyncIterator()
            #expect(await events.next() == .connected)
            // Where the feed is comes first, so nothing is missed between reading and following.
            #expect(await events.next() == .wake(relay.feed, seq: 1))
            for seq in 2...5 as ClosedRange<Int64> {
                _ = try await hub.append([writer.next()], to: relay.house)
                #expect(await events.next() == .wake(relay.feed, seq: seq))
            }
            // An owner follows all feeds of the house.
            var all = hub.live(relay.house).makeAsyncIterator()
            #expect(await all.next() == .connected)
            _ = try await hub.append([writer.next()], to: relay.house)
            #expect(await all.next() == .wake(relay.feed, seq: 6))
        }
    }

    @Test func aStreamOfTheHubThatWritesTellsNoChange() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            var writer = relay.writer
            var all = hub.live(relay.house).makeAsyncIterator()
            var quiet = hub.live(relay.house, hasWakes: false).makeAsyncIterator()
            #expect(await all.next() == .connected)
            #expect(await quiet.next() == .connected)
            _ = try await hub.append([writer.next()], to: relay.house)
            #expect(await all.next() == .wake(relay.feed, seq: 1))
            await relay.server.stop()
            guard case .disconnected? = await quiet.next() else {
                Issue.record("a change was told")
                return
            }
        }
    }

    @Test func theStreamsOfAKeyThatIsRemovedHaveEndedWhenTheAnswerComes() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            let (gone, kept) = (IdentityKey(), IdentityKey())
            let both = [gone, kept].map { ReaderList.Reader($0.publicKey, .read) }
            try await hub.setReaders(ReaderList(seq: 1, readers: both), of: relay.feed, in: relay.house)
            let device = try relay.client(gone)
            var events = device.live(relay.house, feed: relay.feed).makeAsyncIterator()
            var others = try relay.client(kept).live(relay.house, feed: relay.feed).makeAsyncIterator()
            #expect(await events.next() == .connected)
            #expect(await others.next() == .connected)
            #expect(await events.next() == .wake(relay.feed, seq: 0))
            #expect(await others.next() == .wake(relay.feed, seq: 0))
            #expect(relay.server.streams == 2)
            try await hub.setReaders(ReaderList(seq: 2, readers: [both[1]]), of: relay.feed, in: relay.house)
            #expect(relay.server.streams == 1)
            var writer = relay.writer
            _ = try await hub.append([writer.next()], to: relay.house)
            guard case .disconnected? = await events.next() else {
                Issue.record("the stream went on")
                return
            }
            // The client asks once more, and then knows that it has no right.
            #expect(await events.next() == .disconnected(.refused(.notFound)))
            #expect(await events.next() == nil)
            #expect(await others.next() == .wake(relay.feed, seq: 1))
        }
    }

    @Test func aStreamIsOpenedAgainAfterTheRelayWasAway() async throws {
        try await withFolder { folder in
            let (owner, house, feed) = (IdentityKey(), HouseID.random(), FeedID.random())
            var relay = try await RelayProcess(in: folder)
            let client = try RelayClient(relay.url, as: owner)
            try await client.register(house, owners: [owner.publicKey])
            try await client.makeFeed(feed, in: house)
            var events = client.live(house, feed: feed).makeAsyncIterator()
            #expect(await events.next() == .connected)
            #expect(await events.next() == .wake(feed, seq: 0))
            await relay.kill()
            guard case .disconnected? = await events.next() else {
                Issue.record("the stream outlived its relay")
                return
            }
            relay = try await RelayProcess(in: folder, port: relay.port)
            var next = await events.next()
            while case .disconnected? = next { next = await events.next() }
            #expect(next == .connected)
            #expect(await events.next() == .wake(feed, seq: 0))
            await relay.stop()
        }
    }

    @Test func delaysGrowFromHalfASecondToFifteen() {
        var delay = ReconnectDelay()
        #expect((0..<7).map { _ in delay.failed(random: 0) } == [0.5, 1, 2, 4, 8, 15, 15].map { .seconds($0) })
        #expect(delay.failed(random: 1) == .seconds(7.5))
        delay.succeeded()
        #expect(delay.failed(random: 1) == .milliseconds(500))
    }

    // MARK: Encryption and clocks

    @Test func aClientBelievesOnlyTheCertificateOfTheHostThatItAsks() async throws {
        try await withFolder { folder in
            let authority = try CertificateAuthority(hostName: "relay")
            let other = try CertificateAuthority(hostName: "other")
            func files(_ names: [String]) throws -> CertificateFiles {
                let identity = try authority.issue(for: names, at: Date())
                let file = folder.appending(path: "\(UUID()).pem")
                try Data(try identity.pem()).write(to: file)
                return CertificateFiles(certificate: file.path, key: file.path)
            }
            let right = try files(["127.0.0.1"])
            try await ServedRelay.with(certificate: (right, 0)) { relay in
                let trusted = try relay.client(trust: .certificates([authority.certificate]))
                try await trusted.register(relay.house, owners: [relay.owner.publicKey])
                try await trusted.makeFeed(relay.feed, in: relay.house)
                var writer = relay.writer
                #expect(try await trusted.append([writer.next()], to: relay.house) == [.appended(seq: 1)])
                var events = trusted.live(relay.house, feed: relay.feed).makeAsyncIterator()
                #expect(await events.next() == .connected)
                #expect(await events.next() == .wake(relay.feed, seq: 1))
                for trust in [RelayTrust.system, .certificates([other.certificate])] {
                    let client = try relay.client(trust: trust)
                    await #expect {
                        _ = try await client.status(of: relay.feed, in: relay.house)
                    } throws: { error in
                        if case .unreachable? = error as? RelayClientError { true } else { false }
                    }
                }
            }
            let wrong = try files(["127.0.0.2"])
            try await ServedRelay.with(certificate: (wrong, 0)) { relay in
                let client = try relay.client(trust: .certificates([authority.certificate]))
                await #expect {
                    _ = try await client.status(of: relay.feed, in: relay.house)
                } throws: { error in
                    if case .unreachable? = error as? RelayClientError { true } else { false }
                }
            }
        }
    }

    @Test func aRelayWithACertificateOfItsOwnIsKnownByItsKey() async throws {
        try await withFolder { folder in
            func relay(_ name: String) async throws -> (files: CertificateFiles, pem: URL, pin: String) {
                let pem = folder.appending(path: "\(name).pem")
                let files = CertificateFiles(certificate: pem.path, key: folder.appending(path: "\(name).key").path)
                // Its name isn't right. The pin is computed by OpenSSL.
                let pin = try await ShellScript.run(
                    """
                    cd \(folder.path)
                    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout \(name).key -out \(name).pem \
                        -days 1 -subj /CN=elsewhere.example >/dev/null 2>&1
                    openssl x509 -in \(name).pem -pubkey -noout | openssl pkey -pubin -outform der \
                        | openssl dgst -sha256 -binary | head -c 16 | base64 | tr +/ -_ | tr -d =
                    """
                )
                return (files, pem, "pin=" + pin.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            let (own, other) = (try await relay("own"), try await relay("other"))
            let chain = try Certificate.chain(pem: Array(Data(contentsOf: own.pem)))
            #expect(chain.map(\.isSelfSigned) == [true] && chain.map { "\(RelayPin($0))" } == [own.pin])
            try await ServedRelay.with(certificate: (own.files, 0)) { relay in
                func client(_ pin: String) throws -> RelayClient {
                    let clock = relay.clock
                    return try RelayClient("\(relay.url)#\(pin)", as: relay.owner, now: { clock.now })
                }
                func refusal(_ client: RelayClient) async -> String {
                    do {
                        _ = try await client.status(of: relay.feed, in: relay.house)
                        return ""
                    } catch RelayClientError.unreachable(let reason) {
                        return reason
                    } catch {
                        return "unexpected: \(error)"
                    }
                }
                let trusting = try client(own.pin)
                try await trusting.register(relay.house, owners: [relay.owner.publicKey])
                try await trusting.makeFeed(relay.feed, in: relay.house)
                var writer = relay.writer
                #expect(try await trusting.append([writer.next()], to: relay.house) == [.appended(seq: 1)])
                var events = trusting.live(relay.house, feed: relay.feed).makeAsyncIterator()
                #expect(await events.next() == .connected)
                // While the relay gets another key, both are its.
                for pins in ["\(own.pin)&\(other.pin)", "\(other.pin)&\(own.pin)"] {
                    _ = try await client(pins).status(of: relay.feed, in: relay.house)
                }
                // Whoever expects another key is told which one there is, and sends nothing.
                let mistaken = await refusal(try client(other.pin))
                #expect(mistaken.contains(own.pin) && mistaken.contains(other.pin), "\(mistaken)")
                // Without a pin, an authority must have signed the certificate.
                let plain = await refusal(try relay.client())
                #expect(plain.contains("#pin="), "\(plain)")
            }
        }
    }

    @Test(arguments: [
        "https://relay.example.org#pin=", "https://relay.example.org#pin=AAAA", "https://relay.example.org#",
        "https://relay.example.org#key=AAAAAAAAAAAAAAAAAAAAAA", "https://relay.example.org#pin=AAAAAAAAAAAAAAAAAAAAAB",
        "https://relay.example.org#pin=AAAAAAAAAAAAAAAAAAAAAA==", "http://127.0.0.1:80#pin=AAAAAAAAAAAAAAAAAAAAAA",
        "https://a.example#pin=AAAAAAAAAAAAAAAAAAAAAA&", "https://a.example#pin=AAAAAAAAAAAAAAAAAAAAAA&pin=",
        "https://a.example#pin=AAAAAAAAAAAAAAAAAAAAAA&pin=AAAAAAAAAAAAAAAAAAAAAA",
        "https://a.example#pin=AAAAAAAAAAAAAAAAAAAAAA&pin=BAAAAAAAAAAAAAAAAAAAAA&pin=CAAAAAAAAAAAAAAAAAAAAA",
    ])
    func aFragmentThatIsNoPinIsNoAddress(url: String) {
        #expect {
            _ = try RelayClient(url, as: IdentityKey())
        } throws: { error in
            if case .invalidURL? = error as? RelayClientError { true } else { false }
        }
    }

    @Test func anAddressHasAtMostTwoPins() throws {
        let url = "https://relay.example.org#pin=AAAAAAAAAAAAAAAAAAAAAA&pin=BAAAAAAAAAAAAAAAAAAAAA"
        _ = try RelayClient(url, as: IdentityKey())
    }

    @Test func aRelayThatEncryptsAndIsNotThereCanNotBeReached() async throws {
        // A port that was free just now.
        var port = 0
        try await ServedRelay.with { relay in port = relay.port }
        let client = try RelayClient("https://127.0.0.1:\(port)", as: IdentityKey())
        await #expect {
            _ = try await client.status(of: .random(), in: .random())
        } throws: { error in
            if case .unreachable? = error as? RelayClientError { true } else { false }
        }
    }

    @Test(arguments: [
        "http://relay.example.org", "ftp://127.0.0.1", "https://a.example/path", "relay.example", "https://",
    ])
    func addressesThatAreNoRelaysAreRefused(url: String) {
        #expect(throws: RelayClientError.self) { _ = try RelayClient(url, as: IdentityKey()) }
    }

    @Test func aClientWhoseClockIsWrongUsesTheRelays() async throws {
        try await ServedRelay.with { relay in
            _ = try await relay.makeFeed()
            for offset in [-86_400_000, 86_400_000] as [Int64] {
                let time = relay.clock
                let client = try RelayClient(relay.url, as: relay.owner, now: { time.now + offset })
                #expect(try await client.status(of: relay.feed, in: relay.house).seq == 0)
            }
        }
    }

    @Test func aSessionThatEndedIsOpenedAgain() async throws {
        try await ServedRelay.with { relay in
            let hub = try await relay.makeFeed()
            for _ in 0..<3 {
                relay.clock.advance(seconds: RelayLimits.tokenSeconds + 1)
                #expect(try await hub.status(of: relay.feed, in: relay.house).seq == 0)
            }
        }
    }
}
