package import HAP

/// The users' names and areas of the accessories that are paired with Home Assistant, from its device registry
/// (`.storage/core.device_registry`) and its area registry (`.storage/core.area_registry`), which are in the same
/// folder as the pairings.
package struct HomeAssistantRegistry: Hashable, Sendable {
    /// The user's settings for an accessory.
    package struct Device: Hashable, Sendable {
        /// The name, if the user set one. It may be any string.
        package let name: String?
        /// The name of the area, if the accessory is in one. It may be any string.
        package let area: String?

        /// Creates the settings of an accessory.
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

    /// Parses the content of both files.
    ///
    /// - Throws: ``ControllerFileError`` if a file is malformed. Devices that can't be read are skipped.
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

    /// Returns the user's settings for an accessory, or `nil` if Home Assistant has no such device.
    ///
    /// - Parameters:
    ///   - server: The accessory server's device ID.
    ///   - aid: The accessory's instance ID there.
    package func device(on server: DeviceID, aid: UInt64) -> Device? {
        devices[Key(server: server, aid: aid)]
    }

    /// Returns the objects in a list of one of Home Assistant's files.
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

    /// Parses an identifier: two strings, of which the second is `XX:XX:XX:XX:XX:XX:aid:N` for an accessory.
    private static func key(_ identifier: JSONValue) -> Key? {
        guard let parts = identifier.array, parts.count == 2,
            parts[0].string == ControllerFileKey.accessoryIdentifier, let text = parts[1].string,
            let separator = text.firstRange(of: ControllerFileKey.aidSeparator),
            let server = DeviceID(text[..<separator.lowerBound]), let aid = UInt64(text[separator.upperBound...])
        else { return nil }
        return Key(server: server, aid: aid)
    }
}
