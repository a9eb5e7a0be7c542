// Writes to a store as fast as possible, and reports acknowledged writes to standard output, until it is killed.
//
// usage: store-crash-child DIRECTORY [BALLAST]
//        store-crash-child --open DIRECTORY
//        store-crash-child --measure DIRECTORY COUNT
//        store-crash-child --measure-pair DIRECTORY COUNT
//        store-crash-child --claim DIRECTORY FIRST
//        store-crash-child --follow DIRECTORY
//
// With a ballast file, it writes until it is rejected, keeps trying for a while, removes the ballast, writes some more
// and ends. With --open, it opens the store, which may have an earlier format, and ends. With --measure, it prints the
// durations of the given number of appends and bare commits; with --measure-pair, those of two hubs that are in this process.
// With --claim, it claims the firings of a trigger, in order
// from a number on, and prints `firing NUMBER` for each that it may carry out, until it is killed. With --follow, it keeps and
// applies batches as one of two hubs, until it is killed.
//
// Each entry belongs to a request with the revision as its reply. Lines: `entry HOME-REVISION ENTRY-ID` for one entry,
// `both HOME-REVISION ENTRY-ID` for one in the home's log and one in the account's log together, `secret NAME` for a
// secret with its name as its value, `refused CODE` for a write that failed, `room` once there is free space again.

import Foundation
import HomeModel
import HomeStore

/// Decides on the newest state and appends entries to the store without awaiting earlier ones.
actor Writer {
    private let store: HomeStore
    private let caller: Caller
    private var home: Home
    private var account: Account
    private var homeRevision: Int
    private var accountRevision: Int
    private var number = 0

    private static let roomCount = 20
    private static let time = Date(timeIntervalSince1970: 0)

    init(_ store: HomeStore) async throws {
        self.store = store
        let user = UUID()
        caller = Caller(user: user, device: UUID(), app: "crash", client: UUID())
        let logs = try await store.logs()
        if logs.isEmpty {
            let id = UUID()
            home = Home(id: id)
            account = Account(user: user)
            (homeRevision, accountRevision) = (0, 0)
            let owner = UserRecord(id: user, name: "Ann", role: .owner)
            try await appendBoth(
                Home.creation(id: id, defaultRoom: UUID(), owner: owner),
                try account.decide(.addHome(id: id, name: "Home"))
            )
            return
        }
        var loaded: [LogID: StoredLog] = [:]
        for log in logs { loaded[log] = try await store.load(log) }
        guard case .home(let id)? = logs.first, case .account(let user)? = logs.last,
            let homeLog = loaded[.home(id)], let accountLog = loaded[.account(user)]
        else { throw StoreError(.damaged, "The logs are \(logs).") }
        home = Home(id: id, records: homeLog.records)
        account = Account(user: user, records: accountLog.records)
        (homeRevision, accountRevision) = (homeLog.cursor.revision, accountLog.cursor.revision)
    }

    private var owner: Caller {
        var caller = caller
        caller.user = home.users.first?.id ?? caller.user
        return caller
    }

    func writeForever() async throws {
        while true { try await write() }
    }

    /// Writes until the disk is full, keeps trying, frees space and continues. No other process may write in the
    /// meantime.
    func writeOverAFullDisk(ballast: String) async throws {
        var refusals = 0
        while refusals < 30 {
            let before = (home, account, homeRevision, accountRevision)
            do {
                try await write()
            } catch let error as StoreError {
                (home, account, homeRevision, accountRevision) = before
                refusals += 1
                say("refused \(error.code.rawValue)")
            }
        }
        try FileManager.default.removeItem(atPath: ballast)
        say("room")
        for _ in 0..<40 { try await write() }
    }

    private func write() async throws {
        number += 1
        switch number % 8 {
        case 0:
            let name = "\(UUID())"
            try await store.setSecret(Array(name.utf8), for: SecretKey(kind: .pairing, log: nil, name: name))
            say("secret \(name)")
        case 1:
            try await appendBoth(
                try changeOfHome(),
                try account.decide(.renameHome(home.id, name: "Home \(number)"))
            )
        default:
            guard let change = try changeOfHome() else { return }
            let draft = draft(.home(home.id), change, homeRevision, UUID())
            home.apply(change)
            homeRevision += 1
            let appended = try await store.append([draft])
            say("entry \(appended[0].cursor.revision) \(draft.entryID)")
        }
    }

    private func changeOfHome() throws -> Change? {
        if home.rooms.count >= Self.roomCount, let room = home.rooms.first {
            return try home.decide(RemoveRoom(room.id), by: owner, at: Self.time)
        }
        return try home.decide(
            AddRoom(id: UUID(), name: "Room \(UUID().uuidString.filter(\.isLetter)) \(number)"),
            by: owner,
            at: Self.time
        )
    }

    private func appendBoth(_ homeChange: Change?, _ accountChange: Change?) async throws {
        guard let homeChange, let accountChange else { return }
        let entryID = UUID()
        let drafts = [
            draft(.home(home.id), homeChange, homeRevision, entryID),
            draft(.account(account.user), accountChange, accountRevision, entryID),
        ]
        home.apply(homeChange)
        account.apply(accountChange)
        homeRevision += 1
        accountRevision += 1
        let appended = try await store.append(drafts)
        say("both \(appended[0].cursor.revision) \(entryID)")
    }

    private func draft(_ log: LogID, _ change: Change, _ revision: Int, _ entryID: UUID) -> EntryDraft {
        var draft = EntryDraft(
            log: log,
            entryID: entryID,
            caller: caller,
            cause: .app,
            time: Self.time,
            change: change,
            expectedRevision: revision
        )
        // Entries in both logs belong to one request.
        if case .home = log {
            draft.receipt = RequestReceipt(
                request: RequestKey(sender: caller.user, app: caller.app, key: entryID),
                digest: RequestReceipt.digest(ofMethod: "crash", parameters: Data()),
                reply: Array("\(revision + 1)".utf8)
            )
        }
        return draft
    }

    private nonisolated func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

let writerCount = 4
let arguments = CommandLine.arguments
let store = try await HomeStore.open(
    at: URL(fileURLWithPath: arguments[1].hasPrefix("--") ? arguments[2] : arguments[1])
)
if arguments[1] == "--open" {
    try await store.close()
    exit(0)
}
if ["--measure", "--measure-pair"].contains(arguments[1]) {
    let folder = URL(fileURLWithPath: arguments[2])
    let count = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
    // On a thread of the pool, as in the hub.
    let isPair = arguments[1] == "--measure-pair"
    let times = try await Task.detached { [store] in
        let writer: any ChangeWriter = isPair ? try await MeasuredPair().start(in: folder) : store
        var measuring = try AppendBenchmark(writer, folder: folder)
        return try await measuring.times(count)
    }.value
    print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
    try await store.close()
    exit(0)
}
if arguments[1] == "--claim" {
    let trigger = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    for number in (Int(arguments[3]) ?? 0)... {
        let claim = FiringClaim(home: trigger, trigger: trigger, occurrence: "\(number)", time: Date())
        guard try await store.claim([claim]) == [true] else { continue }
        FileHandle.standardOutput.write(Data("firing \(number)\n".utf8))
        // Some firings are complete when the process is killed, others aren't.
        if number % 3 > 0 { try await store.complete(claim) }
    }
}
if arguments[1] == "--follow" {
    var follower = try await Follower(store)
    try await follower.followForever()
}
let writer = try await Writer(store)
if arguments.count > 2 {
    try await writer.writeOverAFullDisk(ballast: arguments[2])
    try await store.close()
    exit(0)
}
try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<writerCount { group.addTask { try await writer.writeForever() } }
    try await group.waitForAll()
}
