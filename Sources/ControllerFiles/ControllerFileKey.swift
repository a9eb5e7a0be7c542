/// The names in controllers' files: aiohomekit's pairings, which Home Assistant keeps in its config entries.
enum ControllerFileKey {
    // MARK: A pairing

    static let deviceID = "AccessoryPairingID"
    static let accessoryPublicKey = "AccessoryLTPK"
    static let controllerID = "iOSPairingId"
    static let controllerSecret = "iOSDeviceLTSK"
    static let controllerPublicKey = "iOSDeviceLTPK"
    static let host = "AccessoryIP"
    static let hosts = "AccessoryIPs"
    static let port = "AccessoryPort"
    static let transport = "Connection"

    /// How accessories are reached. Files of before there were several do not say so and mean the first.
    static let ip = "IP"
    static let bluetooth = "BLE"
    static let thread = "CoAP"

    // MARK: Home Assistant's store

    static let storeName = "key"
    static let storeContent = "data"
    static let configEntries = "core.config_entries"
    static let entries = "entries"
    static let domain = "domain"
    static let controllerDomain = "homekit_controller"
    static let title = "title"
    static let source = "source"
    /// The source of an entry that says only that an accessory is not to be offered again.
    static let ignored = "ignore"

    // MARK: Home Assistant's registries

    static let deviceRegistry = "core.device_registry"
    static let areaRegistry = "core.area_registry"
    static let devices = "devices"
    static let areas = "areas"
    static let identifiers = "identifiers"
    static let accessoryIdentifier = "homekit_controller:accessory-id"
    static let aidSeparator = ":aid:"
    static let nameByUser = "name_by_user"
    static let areaID = "area_id"
    static let id = "id"
    static let name = "name"
}
