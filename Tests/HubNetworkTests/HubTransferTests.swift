import Foundation
import HomeIdentity
import NetworkDoors
import Synchronization
import Testing

@testable import HubNetwork

/// Large transfers between two hubs.
@Suite struct HubTransferTests {
    /// Gives what happens at an end to its transfers.
    private static func follow(_ end: LinkEnd, _ transfers: HubTransfers) -> Task<Void, Never> {
        Task {
            for await event in end.events {
                await transfers.handle(event)
                if case .frame(let frame) = event { end.link.handled(frame) }
            }
        }
    }

    private struct Transfers {
        let first: HubTransfers
        let second: HubTransfers
        let ends: (LinkEnd, LinkEnd)
        let folder: URL

        func file(_ content: [UInt8]) throws -> URL {
            let url = folder.appending(path: "file")
            try Data(content).write(to: url)
            return url
        }

        /// The files that were begun and not removed.
        var unfinished: [String] {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("transfer-") }
            }
        }
    }

    /// Runs a body with two hubs that are connected, of which the second handles what comes.
    private static func connected(
        _ handler: @escaping HubTransfers.Handler,
        _ body: (Transfers) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-transfer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pair = LinkedPair()
        pair.door.state.withLock { _ = $0.hubs.insert(pair.second.publicKey) }
        let first = try LinkEnd(to: pair.second.publicKey, as: pair.first, connects: false)
        try await pair.listen(first) { address in
            let second = try LinkEnd(to: pair.first.publicKey, as: pair.second, connects: true) { [.address(address)] }
            await second.until(.connected)
            await first.until(.connected)
            let transfers = Transfers(
                first: HubTransfers(over: first.link, in: folder) { _, _ in nil },
                second: HubTransfers(over: second.link, in: folder, handler: handler),
                ends: (first, second),
                folder: folder
            )
            let following = [follow(first, transfers.first), follow(second, transfers.second)]
            defer {
                for task in following { task.cancel() }
                second.link.stop()
            }
            try await body(transfers)
        }
        first.link.stop()
    }

    @Test(arguments: [0, 1, HubLinkLimits.pieceBytes, HubLinkLimits.unsentBytes + 1])
    func aFileArrivesAsItWasAndTheAnswerComesBack(length: Int) async throws {
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await Self.connected({ file, note in
            let stored = (try? Data(contentsOf: file)).map(Array.init)
            return stored == content ? note + [9] : nil
        }) { transfers in
            for note in [[], [1, 2, 3]] as [[UInt8]] {
                let file = try transfers.file(content)
                let answer = try await transfers.first.send(file, note: note)
                #expect(answer == note + [9])
            }
            let unfinished = try transfers.unfinished
            #expect(unfinished.isEmpty)
        }
    }

    @Test func aHubThatDoesNotTakeItSaysSo() async throws {
        try await Self.connected({ _, _ in nil }) { transfers in
            let file = try transfers.file([1, 2, 3])
            await #expect(throws: HubTransferError.refused) { try await transfers.first.send(file, note: []) }
            await #expect(throws: HubTransferError.unreadable) {
                try await transfers.first.send(file, note: [UInt8](repeating: 0, count: HubLinkLimits.noteBytes + 1))
            }
            await #expect(throws: HubTransferError.unreadable) {
                try await transfers.first.send(transfers.folder.appending(path: "missing"), note: [])
            }
        }
    }

    @Test func aConnectionThatEndsEndsTheTransfer() async throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let (endings, ended) = AsyncStream.makeStream(of: Void.self)
        try await Self.connected({ _, _ in
            arrived.yield()
            for await _ in endings { break }
            return [1]
        }) { transfers in
            let file = try transfers.file([1, 2, 3])
            let sending = Task { try await transfers.first.send(file, note: []) }
            for await _ in arrivals { break }
            await #expect(throws: HubTransferError.busy) { try await transfers.first.send(file, note: []) }
            transfers.ends.1.link.stop()
            await #expect(throws: HubTransferError.notConnected) { try await sending.value }
            ended.yield()
            await #expect(throws: HubTransferError.notConnected) { try await transfers.first.send(file, note: []) }
        }
    }

    @Test func aReceiverTakesWhatWasAnnouncedAndNoMore() {
        var receiver = TransferReceiver()
        let limit = HubLinkLimits.transferBytes
        #expect(receiver.receive(.start(number: 1, length: limit, note: [])) == [.begin])
        #expect(receiver.receive(.start(number: 2, length: limit + 1, note: [])) == [.drop, .refuse(number: 2)])
        #expect(receiver.receive(.data(number: 1, [1])) == [])
        #expect(receiver.receive(.start(number: 3, length: 2, note: [7])) == [.begin])
        #expect(receiver.receive(.data(number: 2, [1])) == [])
        #expect(receiver.receive(.data(number: 3, [1])) == [.store([1])])
        #expect(receiver.receive(.data(number: 3, [2])) == [.store([2]), .handle(number: 3, note: [7])])
        #expect(receiver.receive(.data(number: 3, [3])) == [])
        #expect(receiver.receive(.start(number: 4, length: 1, note: [])) == [.begin])
        #expect(receiver.receive(.data(number: 4, [1, 2])) == [.refuse(number: 4)])
        #expect(receiver.disconnect() == [])
        #expect(receiver.receive(.start(number: 5, length: 1, note: [])) == [.begin])
        #expect(receiver.fail() == [.refuse(number: 5)])
        #expect(receiver.receive(.start(number: 6, length: 1, note: [])) == [.begin])
        #expect(receiver.disconnect() == [.drop])
    }

    @Test func piecesAreReadAsTheyWereWritten() {
        let note = [UInt8](repeating: 5, count: HubLinkLimits.noteBytes)
        let pieces: [TransferPiece] = [
            .start(number: .max, length: 1 << 40, note: note), .start(number: 0, length: 0, note: []),
            .data(number: 1, [1, 2]), .data(number: 1, []), .answer(number: 2, note), .refusal(number: 3),
        ]
        for piece in pieces { #expect(TransferPiece(piece.bytes) == piece) }
        #expect(TransferPiece(pieces[0].bytes + [1]) == nil)
        #expect(TransferPiece(pieces[4].bytes + [1]) == nil)
        #expect(TransferPiece([]) == nil)
        #expect(TransferPiece([0, 0, 0, 0, 1, 0]) == nil)
        #expect(TransferPiece([9, 0, 0, 0, 1]) == nil)
        // A length that is no number of bytes.
        #expect(TransferPiece([0, 0, 0, 0, 1] + [UInt8](repeating: 255, count: 8)) == nil)
    }
}
