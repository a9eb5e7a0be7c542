package import Foundation

extension Account {
    /// The user's devices, in the order in which they were added.
    package var devices: [AccountDeviceRecord] { deviceRecords.filter { $0.removed == nil } }

    /// The removed devices that are still remembered, in the order in which they were added.
    package var removedDevices: [AccountDeviceRecord] { deviceRecords.filter { $0.removed != nil } }

    /// Returns the device with an ID; `nil` if there is none, or it was removed.
    package func device(_ id: UUID) -> AccountDeviceRecord? {
        deviceRecords[id: id].flatMap { $0.removed == nil ? $0 : nil }
    }

    /// Decides to add a device. Its name gets a number if another device has the same.
    ///
    /// - Parameter limit: The maximum number of devices of its kind.
    func addDevice(_ device: AccountDeviceRecord, limit: Int) throws(HomeError) -> Change {
        guard self.device(device.id) == nil else {
            throw HomeError(.alreadyAdded, "The device is already one of the user's devices.")
        }
        if let key = device.key, devices.contains(where: { $0.key == key }) {
            throw HomeError(.alreadyAdded, "A device with this key is already one of the user's devices.")
        }
        guard devices.count(where: { $0.kind == device.kind }) < limit else {
            let reason = "You have \(limit) devices. Remove one first: hearth device list"
            throw HomeError(.limitExceeded, reason, limit: limit)
        }
        var device = device
        device.name = uniqueName(device.name, of: device.id)
        // A device that comes back isn't a removed one any longer.
        let returned = removedDevices.filter { $0.key != nil && $0.key == device.key && $0.id != device.id }
        let effects = returned.map { Effect.remove(RecordID(.accountDevice, $0.id)) }
        let forgotten = forgettingDevices(at: device.added, except: returned)
        return Change(verb: .deviceAdded, subjects: [], effects: effects + forgotten + [.put(.accountDevice(device))])
    }

    func renameDevice(_ id: UUID, name: String) throws(HomeError) -> Change? {
        guard var device = device(id) else { throw Self.noSuchDevice }
        let name = Self.deviceName(name)
        guard !name.isEmpty else { throw HomeError(.nameEmpty, "A device needs a name.") }
        guard name != device.name else { return nil }
        if devices.contains(where: { $0.id != id && FoldedName($0.name) == FoldedName(name) }) {
            let reason = "Another of your devices is called \(name.quoted)."
            throw HomeError(.nameTaken, reason, name: name)
        }
        device.name = name
        return Change(verb: .deviceRenamed, subjects: [], effects: [.put(.accountDevice(device))])
    }

    func setDeviceKeys(_ id: UUID, box: [UInt8], relayKey: [UInt8]) throws(HomeError) -> Change? {
        guard var device = device(id) else { throw Self.noSuchDevice }
        guard device.box != box || device.relayKey != relayKey else { return nil }
        guard deviceRecords.allSatisfy({ $0.id == id || ($0.box != box && $0.relayKey != relayKey) }) else {
            throw HomeError(.invalidParameter, "Another device has these keys. Make new ones for each device and hub.")
        }
        device.box = box
        device.relayKey = relayKey
        return Change(verb: .deviceKeysChanged, subjects: [], effects: [.put(.accountDevice(device))])
    }

    func removeDevices(_ ids: [UUID], at time: Date) throws(HomeError) -> Change? {
        for id in ids where device(id) == nil { throw Self.noSuchDevice }
        let effects = removalOfDevices(ids, at: time)
        return effects.isEmpty ? nil : Change(verb: .deviceRemoved, subjects: [], effects: effects)
    }

    func confirmDevices(_ ids: [UUID]) throws(HomeError) -> Change? {
        var effects: [Effect] = []
        for id in ids {
            guard var device = device(id) else { throw Self.noSuchDevice }
            guard device.isSuspended else { continue }
            device.isSuspended = false
            effects.append(.put(.accountDevice(device)))
        }
        return effects.isEmpty ? nil : Change(verb: .devicesConfirmed, subjects: [], effects: effects)
    }

    /// Returns the change that removes a home from the list and, if it was the last one, the devices, for when the user
    /// loses their access to it.
    ///
    /// - Parameter time: The hub's time.
    /// - Returns: The change; `nil` if the home isn't in the list.
    package func losing(home id: UUID, at time: Date) throws(HomeError) -> Change? {
        guard home(id) != nil, var change = try decide(.removeHome(id)) else { return nil }
        if homes.count == 1 { change.effects += removalOfDevices(devices.map(\.id), at: time) }
        return change
    }

    /// Returns a name for a device in the form in which it is stored.
    package static func deviceName(_ name: String) -> String {
        NameRule.shortened(name.sanitized(maximumLength: HomeLimits.nameLength)).trimmingCharacters(in: .whitespaces)
    }

    private func removalOfDevices(_ ids: [UUID], at time: Date) -> [Effect] {
        var effects: [Effect] = []
        for id in ids {
            guard let device = device(id) else { continue }
            guard device.key != nil else {
                effects.append(.remove(RecordID(.accountDevice, id)))
                continue
            }
            let removed = AccountDeviceRecord(
                id: id,
                name: "",
                kind: device.kind,
                key: device.key,
                added: device.added,
                removed: time
            )
            effects.append(.put(.accountDevice(removed)))
        }
        return effects.isEmpty ? [] : forgettingDevices(at: time, except: []) + effects
    }

    /// Returns the effects that forget devices that were removed long ago, and those beyond the limit.
    private func forgettingDevices(at time: Date, except others: [AccountDeviceRecord]) -> [Effect] {
        let oldest = time.addingTimeInterval(-Double(HomeLimits.removedDeviceDays) * 24 * 60 * 60)
        let known = removedDevices.filter { !others.contains($0) }.sorted {
            ($0.removed ?? .distantPast) < ($1.removed ?? .distantPast)
        }
        let surplus = known.count - HomeLimits.removedDevicesPerUser + 1
        return known.enumerated().filter { $0.offset < surplus || ($0.element.removed ?? .distantPast) < oldest }
            .map { .remove(RecordID(.accountDevice, $0.element.id)) }
    }

    private func uniqueName(_ name: String, of id: UUID) -> String {
        let given = Self.deviceName(name)
        let name = given.isEmpty ? "Device" : given
        let taken = Set(devices.filter { $0.id != id }.map { FoldedName($0.name) })
        var unique = name
        var number = 2
        while taken.contains(FoldedName(unique)) {
            unique = NameRule.numbered(name, number)
            number += 1
        }
        return unique
    }

    private static let noSuchDevice = HomeError(
        .notFound,
        "You have no such device. To list them, run “hearth device list”."
    )
}
