import HomeKit

/// The list of the vendor's services in the primary home.
class AccessoryList: NSObject {
    let store: HomeStore
    /// The home with the listed accessories.
    var home: HMHome? {
        didSet {
            home?.delegate = store
            reloadData()
        }
    }
    private(set) var kilgoServices = [HMService]()
    private(set) var tiles = [AccessoryTile]()
    /// Called after every change of the list.
    var onChange: (() -> Void)?
    /// The errors of characteristics that could not be turned on, by their descriptions.
    private(set) var failedNotifications = [String: Error]()

    init(store: HomeStore) {
        self.store = store
        super.init()
        store.homeManager.delegate = self
        store.addHomeDelegate(self)
        store.addAccessoryDelegate(self)
    }

    func reloadData() {
        kilgoServices = []
        guard let home = home else { return }
        for accessory in home.accessories.filter({ $0.manufacturer == "Kilgo Devices, Inc." }) {
            accessory.delegate = store
            for service in accessory.services.filter({ $0.isUserInteractive }) {
                kilgoServices.append(service)
                for characteristic in service.characteristics.filter({
                    $0.properties.contains(HMCharacteristicPropertySupportsEventNotification)
                }) {
                    characteristic.enableNotification(true) { error in
                        if let error = error {
                            self.failedNotifications[characteristic.localizedDescription] = error
                        }
                    }
                }
            }
        }
        kilgoServices.sort { $0.name < $1.name }
        tiles = kilgoServices.map { service in
            let tile = AccessoryTile()
            tile.service = service
            return tile
        }
        onChange?()
    }

    /// The action of the “+” button.
    func addAccessory() {
        home?.addAndSetupAccessories(completionHandler: { error in
            if let error = error {
                print(error)
            } else {
                // Any of it may have changed, so everything is read again.
                self.reloadData()
            }
        })
    }

    func tile(for service: HMService) -> AccessoryTile? {
        guard let index = kilgoServices.firstIndex(of: service) else { return nil }
        return tiles[index]
    }
}

extension AccessoryList: HMHomeManagerDelegate {
    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        setHome(manager.primaryHome)
    }

    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) {
        setHome(manager.primaryHome)
    }

    private func setHome(_ home: HMHome?) {
        if let home = home, home == self.home {
            reloadData()
        } else {
            self.home = home
        }
    }
}

extension AccessoryList: HMHomeDelegate {
    func home(_ home: HMHome, didAdd accessory: HMAccessory) {
        reloadData()
    }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) {
        reloadData()
    }

    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        tiles.filter { $0.service?.accessory == accessory }.forEach { $0.redrawState() }
        onChange?()
    }
}

extension AccessoryList: HMAccessoryDelegate {
    func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) {
        tile(for: service)?.redrawState()
        onChange?()
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        for tile in tiles where tile.service?.accessory == accessory { tile.redrawState() }
        onChange?()
    }

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        tile(for: service)?.redrawState()
        onChange?()
    }
}
