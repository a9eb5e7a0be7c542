package import Foundation

/// Sends files to the other hub and receives some from it, over their connection and beside everything else on it.
///
/// Nothing is kept of a transfer that doesn't end: whoever sends it sends it again.
package actor HubTransfers {
    // This is an actor because pieces are sent and stored one after the other.

    /// Handles a file that has come, with the note that its sender gave. The file is removed afterwards.
    ///
    /// - Returns: The answer to the sender, at most ``HubLinkLimits/noteBytes``; `nil` if the file isn't taken.
    package typealias Handler = @Sendable (_ file: URL, _ note: [UInt8]) async -> [UInt8]?

    private let link: HubLink
    private let folder: URL
    private let handler: Handler
    private var receiver = TransferReceiver()
    private var incoming: (url: URL, handle: FileHandle)?
    private var lastNumber: UInt32 = 0
    private var outgoing: (number: UInt32, answer: CheckedContinuation<Result<[UInt8], HubTransferError>, Never>?)?
    /// The answer to the transfer that is being sent, if it came before all was sent.
    private var early: Result<[UInt8], HubTransferError>?
    private var room: CheckedContinuation<Void, Never>?

    /// Creates the ends of a link. Give ``handle(_:)`` what happens on it.
    ///
    /// - Parameters:
    ///   - folder: Where files are stored while they come.
    ///   - handler: A closure that handles them.
    package init(over link: HubLink, in folder: URL, handler: @escaping Handler) {
        self.link = link
        self.folder = folder
        self.handler = handler
    }

    /// Sends a file, and returns the answer.
    ///
    /// - Parameters:
    ///   - file: The file, which doesn't change meanwhile.
    ///   - note: What the other hub must know of it, at most ``HubLinkLimits/noteBytes``.
    package func send(_ file: URL, note: [UInt8]) async throws(HubTransferError) -> [UInt8] {
        guard outgoing == nil else { throw .busy }
        guard note.count <= HubLinkLimits.noteBytes, let handle = try? FileHandle(forReadingFrom: file),
            let length = (try? handle.seekToEnd()).flatMap({ Int(exactly: $0) }), length <= HubLinkLimits.transferBytes,
            (try? handle.seek(toOffset: 0)) != nil
        else { throw .unreadable }
        lastNumber &+= 1
        let number = lastNumber
        outgoing = (number, nil)
        defer {
            outgoing = nil
            early = nil
            try? handle.close()
        }
        try await send(.start(number: number, length: length, note: note))
        var rest = length
        while rest > 0 {
            guard let data = try? handle.read(upToCount: min(rest, HubLinkLimits.pieceBytes)), !data.isEmpty else {
                throw .unreadable
            }
            rest -= data.count
            try await send(.data(number: number, Array(data)))
        }
        if let early { return try early.get() }
        return try await withCheckedContinuation { outgoing?.answer = $0 }.get()
    }

    /// Sends a piece as soon as there is room.
    private func send(_ piece: TransferPiece) async throws(HubTransferError) {
        guard let frame = HubFrame(.piece, piece.bytes) else { throw .unreadable }
        while true {
            // A transfer that was refused isn't sent to its end.
            if case .failure(let error)? = early { throw error }
            if link.send(frame) { return }
            guard link.isConnected else { throw .notConnected }
            await withCheckedContinuation { room = $0 }
        }
    }

    /// Handles what happens on the link: pieces, room, and its end. A piece counts as handled when this returns.
    package func handle(_ event: HubLink.Event) {
        switch event {
        case .connected: break
        case .room: resume()
        case .disconnected:
            end(with: .failure(.notConnected))
            resume()
            carryOut(receiver.disconnect())
        case .frame(let frame):
            guard frame.kind == .piece, let piece = TransferPiece(frame.content) else { return }
            switch piece {
            case .start, .data: carryOut(receiver.receive(piece))
            case .answer(let number, let answer) where number == outgoing?.number: end(with: .success(answer))
            case .refusal(let number) where number == outgoing?.number:
                end(with: .failure(.refused))
                resume()
            case .answer, .refusal: break
            }
        }
    }

    private func resume() {
        room?.resume()
        room = nil
    }

    private func end(with result: Result<[UInt8], HubTransferError>) {
        guard outgoing != nil else { return }
        guard let answer = outgoing?.answer else { return early = result }
        outgoing?.answer = nil
        answer.resume(returning: result)
    }

    // MARK: Files that come

    private func carryOut(_ actions: [TransferReceiver.Action]) {
        for action in actions {
            switch action {
            case .begin:
                drop()
                if !begin() { return carryOut(receiver.fail()) }
            case .store(let data):
                guard (try? incoming?.handle.write(contentsOf: data)) != nil else { return carryOut(receiver.fail()) }
            case .handle(let number, let note): handleIncoming(number, note)
            case .refuse(let number):
                drop()
                reply(.refusal(number: number))
            case .drop: drop()
            }
        }
    }

    private func begin() -> Bool {
        let url = folder.appending(path: "transfer-\(UUID().uuidString)")
        let isOwn = FileManager.default.createFile(
            atPath: url.path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard isOwn, let handle = try? FileHandle(forWritingTo: url) else { return false }
        incoming = (url, handle)
        return true
    }

    private func drop() {
        guard let (url, handle) = incoming else { return }
        incoming = nil
        try? handle.close()
        try? FileManager.default.removeItem(at: url)
    }

    private func handleIncoming(_ number: UInt32, _ note: [UInt8]) {
        guard let (url, handle) = incoming else { return reply(.refusal(number: number)) }
        incoming = nil
        try? handle.close()
        Task {
            let answer = await handler(url, note)
            try? FileManager.default.removeItem(at: url)
            reply(answer.map { .answer(number: number, $0) } ?? .refusal(number: number))
        }
    }

    /// Answers the sender. One that isn't connected any more sends again.
    private func reply(_ piece: TransferPiece) {
        guard let frame = HubFrame(.piece, piece.bytes) else { return }
        Task {
            while !link.send(frame), link.isConnected { try? await Task.sleep(for: HubLinkLimits.answerPause) }
        }
    }
}
