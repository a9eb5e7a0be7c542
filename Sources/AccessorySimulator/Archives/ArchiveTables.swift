internal import HAPCatalog

/// The numbers in accessory files of Apple's HomeKit Accessory Simulator, as far as they are known from such files.
/// Other numbers are reported, not guessed.
enum ArchiveTables {
    static let version: Int64 = 1
    static let formats: [Int64: CharacteristicFormat] = [
        1: .bool, 2: .int, 3: .uint8, 7: .float, 8: .string, 10: .tlv8,
    ]
    static let units: [Int64: CharacteristicUnit] = [2: .percentage, 3: .arcdegrees, 4: .seconds]
    static let noUnit: Int64 = 0
    static let properties: [Int64: CharacteristicPermissions] = [1: .read, 2: .write, 8: .notify]
    /// The permissions in a secured session, by the characteristic's permission.
    static let securedPermissions: [CharacteristicPermissions: Int64] = [.read: 4, .write: 8]
}

/// The keys in those files.
enum ArchiveKey {
    static let kind = "kind"
    static let accessoryKind = "accessory"
    static let version = "version"
    static let accessory = "accessory"
    static let category = "HAK.category"
    static let password = "HAK.password"
    static let setupID = "HAK.setupID"
    static let identifier = "HAK.identifier"
    static let data = "HAK.data"
    static let idPool = "HAK.idPool"
    static let services = "HAK.services"
    static let primary = "HAK.primary"
    static let bridge = "HAK.bridge"
    static let bridged = "HAK.bridgedAccessories"
    static let transports = "HAK.transports"
    static let accessoryVersion = "HAK.accessoryVersion"
    static let uuid = "HAK.uuid"
    static let uuidBytes = "NS.uuidbytes"
    static let instanceID = "HAK.instanceid"
    static let hidden = "HAK.hidden"
    static let linked = "HAK.linkedServices"
    static let characteristics = "HAK.characteristics"
    static let owner = "HAK.accessory"
    static let ownerService = "HAK.service"
    static let delegate = "HAK.characteristicDelegate"
    static let description = "HAK.description"
    static let value = "HAK.value"
    static let format = "HAK.format"
    static let properties = "HAK.properties"
    static let permissions = "HAK.permissions"
    static let unit = "HAK.unit"
    static let constraints = "HAK.constrains"
    static let maxLength = "HAK.maxLength"
    static let minimum = "HAK.minValue"
    static let maximum = "HAK.maxValue"
    static let step = "HAK.stepValue"
    static let validValues = "HAK.validValues"
    static let mantissa = "NS.mantissa"
    static let exponent = "NS.exponent"
    static let negative = "NS.negative"
    static let mantissaOrder = "NS.mantissa.bo"

    static let ofAccessory: Set<String> = [
        category, password, setupID, identifier, idPool, services, primary, bridge, bridged, transports, instanceID,
        accessoryVersion,
    ]
    static let ofService: Set<String> = [uuid, instanceID, hidden, linked, characteristics, owner]
    static let ofCharacteristic: Set<String> = [
        uuid, instanceID, description, value, format, properties, permissions, unit, constraints, ownerService,
        delegate,
    ]
    static let ofConstraints: Set<String> = [maxLength, minimum, maximum, step, validValues]
}
