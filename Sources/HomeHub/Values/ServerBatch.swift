import HAP

/// What one accessory server is asked by a call, and where its outcomes belong among the call's.
struct ServerBatch<Item: Sendable>: Sendable {
    /// The server.
    var server: DeviceID
    /// What it is asked, in the call's order.
    var items: [Item] = []
    /// The index of each item's outcome.
    var positions: [Int] = []
}

extension Array {
    /// Adds an item to a server's batch, keeping the order within each server.
    mutating func add<Item: Sendable>(_ item: Item, to server: DeviceID, at position: Int)
    where Element == ServerBatch<Item> {
        let index =
            firstIndex { $0.server == server }
            ?? {
                append(ServerBatch(server: server))
                return endIndex - 1
            }()
        self[index].items.append(item)
        self[index].positions.append(position)
    }
}
