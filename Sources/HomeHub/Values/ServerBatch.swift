import HAP

/// The part of a call that goes to one accessory server, and the positions of its outcomes in the call.
struct ServerBatch<Item: Sendable>: Sendable {
    /// The device ID of the server.
    var server: DeviceID
    /// The items, in the call's order.
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
