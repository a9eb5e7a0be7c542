/// The keys of accessory files and the supported format version. `Documentation/AccessoryFiles.md` describes them.
enum AccessoryFileKey {
    /// The only format version.
    static let currentFormat: Int64 = 1

    static let format = "format"
    static let category = "category"
    static let setupCode = "setupCode"
    static let setupID = "setupID"
    static let deviceID = "deviceID"
    static let accessories = "accessories"

    static let name = "name"
    static let manufacturer = "manufacturer"
    static let model = "model"
    static let serialNumber = "serialNumber"
    static let firmwareRevision = "firmwareRevision"
    static let hardwareRevision = "hardwareRevision"
    static let information = "information"
    static let services = "services"
    static let aid = "aid"
    static let iids = "iids"
    static let lastIID = "lastIID"

    static let type = "type"
    static let key = "key"
    static let primary = "primary"
    static let hidden = "hidden"
    static let linked = "linked"
    static let delay = "delay"
    static let habits = "habits"
    static let characteristics = "characteristics"

    static let value = "value"
    static let permissions = "permissions"
    static let valueFormat = "format"
    static let unit = "unit"
    static let minimum = "min"
    static let maximum = "max"
    static let step = "step"
    static let maxLength = "maxLength"
    static let maxDataLength = "maxDataLength"
    static let validValues = "validValues"
    static let validRanges = "validRanges"
    static let description = "description"

    /// The keys of every accessory, at the root or behind a bridge.
    static let accessory = [
        name, manufacturer, model, serialNumber, firmwareRevision, hardwareRevision, information, services, aid, iids,
        lastIID,
    ]
    /// The additional keys of the root.
    static let root = [format, category, setupCode, setupID, deviceID, accessories]
    static let service = [type, key, name, primary, hidden, linked, delay, habits, characteristics]
    static let characteristic = [
        value, permissions, valueFormat, unit, minimum, maximum, step, maxLength, maxDataLength, validValues,
        validRanges, description,
    ]
}
