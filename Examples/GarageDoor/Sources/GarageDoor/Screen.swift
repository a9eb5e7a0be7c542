import HomeKit

/// The terminal's commands.
@MainActor
public struct Screen {
    private let list: TileList

    /// Creates a screen for a list of tiles.
    public init(_ list: TileList) {
        self.list = list
    }

    private static let help = """
        NUMBER                       turn on or off, open or close
        list                         show the tiles
        show NUMBER                  show it in detail
        rename NUMBER NAME           give it another name
        room NUMBER                  show which rooms there are
        room NUMBER ROOM             move its device to one of them, or to a new one
        set NUMBER WHAT VALUE        change something that show shows
        remove NUMBER                take its device out of the home, with all of its tiles
        add                          add an accessory to the home
        quit                         end
        """

    /// The tiles, one per line.
    public var tiles: String {
        if list.home == nil { return "There is no home." }
        if list.tiles.isEmpty { return "No device of \(Kilgo.name) in the home. Type add." }
        return list.tiles.indices.map(line).joined(separator: "\n")
    }

    /// Runs a command line.
    ///
    /// - Returns: The output, or `nil` to quit.
    public func run(_ line: String) async -> String? {
        let words = line.split(separator: " ").map(String.init)
        do {
            switch words.first {
            case nil, "list": return tiles
            case "quit": return nil
            case "help": return Self.help
            case "add":
                try await add()
                list.reload()
                return tiles
            case let word? where Int(word) != nil: return try await tap(word)
            default: return try await change(words)
            }
        } catch {
            return error.localizedDescription
        }
    }

    /// Asks the system to guide the user through adding an accessory.
    private func add() async throws {
        let request = HMAccessorySetupRequest()
        request.homeUniqueIdentifier = list.home?.uniqueIdentifier
        _ = try await HMAccessorySetupManager().performAccessorySetup(using: request)
    }

    private func tap(_ word: String) async throws -> String {
        guard let index = index(word) else { return Self.noSuchNumber }
        try await list.tiles[index].tap()
        return self.line(index)
    }

    private func change(_ words: [String]) async throws -> String {
        let arguments = words.dropFirst(2)
        guard let word = words.dropFirst().first, let home = list.home else { return Self.help }
        guard let index = index(word) else { return Self.noSuchNumber }
        let detail = Detail(list.tiles[index], in: home)
        switch (words[0], arguments.isEmpty) {
        case ("show", true):
            return detail.lines.map { Self.padded($0.name, 30) + $0.value }.joined(separator: "\n")
        case ("rename", false): try await detail.rename(to: arguments.joined(separator: " "))
        case ("room", true): return detail.rooms.joined(separator: "\n")
        case ("room", false): try await detail.move(toRoom: arguments.joined(separator: " "))
        case ("remove", true): try await detail.remove()
        case ("set", false) where arguments.count > 1:
            let (name, value) = (arguments.dropLast().joined(separator: " "), arguments.last ?? "")
            guard try await detail.set(name, to: value) else { return "Can't set \(name) to \(value)." }
        default: return Self.help
        }
        // HomeKit reports this app's changes to other apps. This app only learns of them when the call returns.
        list.reload()
        return tiles
    }

    private static let noSuchNumber = "No tile has that number."

    private func index(_ word: String) -> Int? {
        Int(word).map { $0 - 1 }.flatMap { list.tiles.indices.contains($0) ? $0 : nil }
    }

    private func line(_ index: Int) -> String {
        let tile = list.tiles[index]
        return Self.padded("\(index + 1)", 3) + Self.padded(tile.name, 17) + Self.padded(tile.room, 18) + tile.state
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
