/// The keys in controllers' files: aiohomekit's pairings, and Home Assistant's config entries, which contain them.
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

    /// The transports of accessories. Files from before there were several have no transport and mean IP.
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
    /// The source of an entry that only marks an accessory as ignored.
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
