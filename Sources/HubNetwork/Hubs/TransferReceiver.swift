/// The receiving end of large transfers, as a value: pieces go in, and what to do comes out.
struct TransferReceiver: Sendable {
    /// What to do.
    enum Action: Hashable, Sendable {
        /// Begin to store a transfer; what is stored of an earlier one isn't needed.
        case begin
        /// Store the next bytes.
        case store([UInt8])
        /// Handle the transfer, which is complete, and answer it by its number.
        case handle(number: UInt32, note: [UInt8])
        /// Tell the sender that its transfer isn't taken; what is stored of it isn't needed.
        case refuse(number: UInt32)
        /// What is stored isn't needed.
        case drop
    }

    private var current: (number: UInt32, rest: Int, note: [UInt8])?

    /// Handles a piece of the sender.
    mutating func receive(_ piece: TransferPiece) -> [Action] {
        switch piece {
        case .start(let number, let length, let note):
            guard (0...HubLinkLimits.transferBytes).contains(length) else {
                let isReplaced = current != nil
                current = nil
                return (isReplaced ? [.drop] : []) + [.refuse(number: number)]
            }
            current = (number, length, note)
            return [.begin] + finish()
        case .data(let number, let data):
            // What comes after a refusal is of a transfer that is over.
            guard let transfer = current, transfer.number == number else { return [] }
            guard !data.isEmpty, data.count <= transfer.rest else {
                current = nil
                return [.refuse(number: number)]
            }
            current?.rest -= data.count
            return [.store(data)] + finish()
        case .answer, .refusal: return []
        }
    }

    private mutating func finish() -> [Action] {
        guard let transfer = current, transfer.rest == 0 else { return [] }
        current = nil
        return [.handle(number: transfer.number, note: transfer.note)]
    }

    /// Handles that the bytes couldn't be stored.
    mutating func fail() -> [Action] {
        guard let transfer = current else { return [] }
        current = nil
        return [.refuse(number: transfer.number)]
    }

    /// Handles that the connection has ended.
    mutating func disconnect() -> [Action] {
        defer { current = nil }
        return current == nil ? [] : [.drop]
    }
}
