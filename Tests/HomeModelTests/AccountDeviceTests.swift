import Foundation
import Testing

@testable import HomeModel

/// The devices in a user's own log.
struct AccountDeviceTests {
    private static let day: TimeInterval = 24 * 60 * 60

    private func device(_ name: String, _ kind: AccountDeviceRecord.Kind = .agent) -> AccountDeviceRecord {
        let key = kind == .agent ? (0..<32).map { _ in UInt8.random(in: 0...255) } : nil
        return AccountDeviceRecord(id: UUID(), name: name, kind: kind, key: key, added: Date(milliseconds: 1_000))
    }

    private func apply(_ request: AccountRequest, to account: inout Account) throws {
        if let change = try account.decide(request) { account.apply(change) }
    }

    @Test func aRestoredCopySuspendsDevicesAndForgetsBrowsers() throws {
        var account = Account(user: UUID())
        for device in [device("Laptop"), device("Phone"), device("Page", .browser)] {
            try apply(.addDevice(device, limit: 8), to: &account)
        }
        let phone = try #require(account.devices.first { $0.name == "Phone" })
        try apply(.removeDevices([phone.id], at: Date(milliseconds: 2_000)), to: &account)
        account.apply(Change.restoration(of: account.records))
        #expect(account.devices.map(\.name) == ["Laptop"] && account.devices[0].isSuspended)
        #expect(account.removedDevices.map(\.key) == [phone.key])
        try apply(.confirmDevices([account.devices[0].id]), to: &account)
        #expect(!account.devices[0].isSuspended)
    }

    @Test func anExportHasNoDevices() throws {
        var account = Account(user: UUID())
        try apply(.addHome(id: UUID(), name: "Villa"), to: &account)
        try apply(.addDevice(device("Laptop"), limit: 8), to: &account)
        let text = try HomeExport(account: account, homes: []).text
        #expect(text.contains("Villa") && !text.contains("Laptop") && !text.contains("accountDevice"))
    }

    @Test func aRecordIsReadAsItWasWritten() throws {
        var written = device("Laptop")
        written.addedBy = UUID()
        written.invitation = UUID()
        written.box = [1, 2]
        written.relayKey = [3]
        written.isSuspended = true
        written.removed = Date(milliseconds: 5_000)
        let data = try JSONEncoder().encode(Record.accountDevice(written))
        #expect(try JSONDecoder().decode(Record.self, from: data) == .accountDevice(written))
    }

    @Test func keysForAFeedBelongToOneDeviceAndEndWithIt() throws {
        var account = Account(user: UUID())
        let (laptop, phone) = (device("Laptop"), device("Phone"))
        for device in [laptop, phone] { try apply(.addDevice(device, limit: 8), to: &account) }
        try apply(.setDeviceKeys(laptop.id, box: [1], relayKey: [2]), to: &account)
        #expect(account.device(laptop.id)?.box == [1] && account.device(laptop.id)?.relayKey == [2])
        #expect(try account.decide(.setDeviceKeys(laptop.id, box: [1], relayKey: [2])) == nil)
        for (box, relayKey) in [([1], [3]), ([4], [2])] as [([UInt8], [UInt8])] {
            let request = AccountRequest.setDeviceKeys(phone.id, box: box, relayKey: relayKey)
            #expect(throws: HomeError.self) { try account.decide(request) }
        }
        #expect(throws: HomeError.self) { try account.decide(.setDeviceKeys(UUID(), box: [5], relayKey: [6])) }
        try apply(.removeDevices([laptop.id], at: Date(milliseconds: 1_000)), to: &account)
        #expect(account.removedDevices.allSatisfy { $0.box == nil && $0.relayKey == nil })
        try apply(.setDeviceKeys(phone.id, box: [1], relayKey: [2]), to: &account)
    }

    @Test func removedDevicesAreRememberedForAWhileAndUpToALimit() throws {
        var account = Account(user: UUID())
        let start = Date(milliseconds: 0)
        for number in 0...HomeLimits.removedDevicesPerUser {
            let device = device("Laptop \(number)")
            try apply(.addDevice(device, limit: 8), to: &account)
            try apply(.removeDevices([device.id], at: start.addingTimeInterval(Double(number))), to: &account)
        }
        #expect(account.removedDevices.count == HomeLimits.removedDevicesPerUser)
        let last = device("Last")
        try apply(.addDevice(last, limit: 8), to: &account)
        let late = start.addingTimeInterval(Double(HomeLimits.removedDeviceDays + 1) * Self.day)
        try apply(.removeDevices([last.id], at: late), to: &account)
        #expect(account.removedDevices.map(\.id) == [last.id])
    }

    @Test func aDeviceBeyondTheLimitIsRefused() throws {
        var account = Account(user: UUID())
        for _ in 0..<2 { try apply(.addDevice(device("Laptop"), limit: 2), to: &account) }
        let error = #expect(throws: HomeError.self) { try account.decide(.addDevice(device("Laptop"), limit: 2)) }
        #expect(error?.code == .limitExceeded)
        #expect(account.devices.map(\.name) == ["Laptop", "Laptop 2"])
        // Browsers are counted for themselves.
        try apply(.addDevice(device("Page", .browser), limit: 2), to: &account)
    }

    @Test func theLossOfTheLastHomeTakesTheDevicesToo() throws {
        var account = Account(user: UUID())
        let (first, second) = (UUID(), UUID())
        try apply(.addHome(id: first, name: "Villa"), to: &account)
        try apply(.addHome(id: second, name: "Hut"), to: &account)
        try apply(.addDevice(device("Laptop"), limit: 8), to: &account)
        account.apply(try #require(try account.losing(home: first, at: Date(milliseconds: 1))))
        #expect(account.devices.count == 1)
        account.apply(try #require(try account.losing(home: second, at: Date(milliseconds: 2))))
        #expect(account.devices.isEmpty && account.removedDevices.count == 1)
    }
}
