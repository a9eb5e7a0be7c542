package import HAP

/// How people call the accessories of Home Assistant's pairings, and in which areas they have put them: its device registry
/// (`.storage/core.device_registry`) with its area registry (`.storage/core.area_registry`), both beside the pairings.
package struct HomeAssistantRegistry: Hashable, Sendable {
    /// What people have said of an accessory.
    package struct Device: Hashable, Sendable {
        /// Its name, if they gave it one; any text.
        package let name: String?
        /// The name of its area, if it is in one; any text.
        package let area: String?

        /// Creates what people have said.
        package init(name: String?, area: String?) {
            self.name = name
            self.area = area
        }
    }

    private struct Key: Hashable {
        var server: DeviceID
        var aid: UInt64
    }

    private let devices: [Key: Device]

    /// Reads the content of both files.
    ///
    /// - Throws: ``ControllerFileError`` if one of them is not what it should be. A device that cannot be read is left out.
    package init(devices deviceBytes: [UInt8], areas areaBytes: [UInt8]) throws(ControllerFileError) {
        var areas: [String: String] = [:]
        for area in try Self.list(areaBytes, of: ControllerFileKey.areaRegistry, ControllerFileKey.areas) {
            guard let id = area[ControllerFileKey.id]?.string else { continue }
            areas[id] = area[ControllerFileKey.name]?.string
        }
        var devices: [Key: Device] = [:]
        for device in try Self.list(deviceBytes, of: ControllerFileKey.deviceRegistry, ControllerFileKey.devices) {
            for identifier in device[ControllerFileKey.identifiers]?.array ?? [] {
                guard let key = Self.key(identifier) else { continue }
                devices[key] = Device(
                    name: device[ControllerFileKey.nameByUser]?.string,
                    area: device[ControllerFileKey.areaID]?.string.flatMap { areas[$0] }
                )
            }
        }
        self.devices = devices
    }

    /// What people have said of an accessory, nil if Home Assistant has no such device.
    ///
    /// - Parameters:
    ///   - server: The accessory server's device ID.
    ///   - aid: The accessory's instance ID there.
    package func device(on server: DeviceID, aid: UInt64) -> Device? {
        devices[Key(server: server, aid: aid)]
    }

    /// The objects in a list of one of Home Assistant's files.
    private static func list(
        _ bytes: [UInt8],
        of store: String,
        _ name: String
    ) throws(ControllerFileError) -> [JSONObject] {
        guard bytes.count <= ControllerFile.maximumLength else { throw .tooLong }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: bytes)
        } catch {
            throw .notJSON(error)
        }
        guard root.object?[ControllerFileKey.storeName]?.string == store,
            let list = root.object?[ControllerFileKey.storeContent]?.object?[name]?.array
        else { throw .unknownFormat }
        return list.compactMap(\.object)
    }

    /// Reads an identifier: two texts, of which the second is `XX:XX:XX:XX:XX:XX:aid:N` if it is of an accessory.
    private static func key(_ identifier: JSONValue) -> Key? {
        guard let parts = identifier.array, parts.count == 2,
            parts[0].string == ControllerFileKey.accessoryIdentifier, let text = parts[1].string,
            let separator = text.firstRange(of: ControllerFileKey.aidSeparator),
            let server = DeviceID(text[..<separator.lowerBound]), let aid = UInt64(text[separator.upperBound...])
        else { return nil }
        return Key(server: server, aid: aid)
    }
}
