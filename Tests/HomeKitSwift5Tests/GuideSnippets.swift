// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
import HomeKit

// The examples of Apple's guide, in Swift.

class GuideAppDelegate: NSObject, HMHomeManagerDelegate {
    var homeManager: HMHomeManager!
    static let updateHomes = Notification.Name("UpdateHomesNotification")
    static let updatePrimaryHome = Notification.Name("UpdatePrimaryHomeNotification")

    func didFinishLaunching() -> Bool {
        self.homeManager = HMHomeManager()
        self.homeManager.delegate = self
        return true
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        NotificationCenter.default.post(name: GuideAppDelegate.updateHomes, object: self)
    }

    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) {
        NotificationCenter.default.post(name: GuideAppDelegate.updatePrimaryHome, object: self)
    }
}

class GuideHomeController: NSObject, HMHomeDelegate {
    var home: HMHome!
    var observers: [NSObjectProtocol] = []
    var titles: [String] = []

    func viewDidLoad(_ appDelegate: GuideAppDelegate) {
        home = appDelegate.homeManager.primaryHome
        for home in appDelegate.homeManager.homes where !home.isPrimary { titles.append(home.name) }
        home?.delegate = self
        observers.append(
            NotificationCenter.default.addObserver(
                forName: GuideAppDelegate.updateHomes,
                object: appDelegate,
                queue: .main
            ) { [weak self] _ in
                self?.reload()
            }
        )
    }

    func reload() {
        for room in home.rooms {
            titles.append(room.name)
            for accessory in room.accessories { titles.append(accessory.name) }
        }
    }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) {
        if accessory.room == home.roomForEntireHome() { reload() }
    }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) {
        reload()
    }

    // MARK: Making a home

    func addHome(_ homeManager: HMHomeManager) {
        homeManager.addHome(
            withName: "My Home",
            completionHandler: { (home, error) in
                if error != nil {
                    // Failed to add a home
                } else {
                    self.home = home
                }
            }
        )
    }

    func addRoom() {
        let roomName = "Living Room"
        home.addRoom(withName: roomName) { (room: HMRoom?, error: Error?) in
            if let error = error {
                print(error.localizedDescription)
            } else if let room = room {
                self.titles.append(room.name)
            }
        }
    }

    func addAccessory(_ accessory: HMAccessory, to roomInHome: HMRoom) {
        let home: HMHome = self.home
        let room = roomInHome
        home.addAccessory(accessory) { error in
            if error != nil {
                // Failed to add accessory to home
            } else if accessory.room != room {
                home.assignAccessory(
                    accessory,
                    to: room,
                    completionHandler: { error in
                        if error != nil {
                            // Failed to add accessory to room
                        }
                    }
                )
            }
        }
    }

    func rename(_ accessory: HMAccessory) {
        accessory.updateName("Kid's Night Light") { error in
            if error == nil { self.titles.append(accessory.name) }
        }
    }

    func addZone(with roomInHome: HMRoom) {
        home.addZone(withName: "Upstairs") { zone, error in
            guard error == nil, let zone = zone else { return }
            zone.addRoom(roomInHome) { error in
                if let error = error as NSError?, error.domain == HMErrorDomain { print(error.code) }
            }
        }
    }

    // MARK: Groups and people

    func addGroup(with service: HMService) {
        home.addServiceGroup(
            withName: "Away Lights",
            completionHandler: { (serviceGroup, error) in
                guard error == nil, let serviceGroup = serviceGroup else { return }
                serviceGroup.addService(service) { error in
                    if error == nil { self.titles = serviceGroup.services.map { $0.name } }
                }
            }
        )
        for group in home.serviceGroups where group.services.contains(service) {
            group.removeService(service) { _ in }
            titles.append(service.accessory?.name ?? "")
        }
    }

    func manageUsers() {
        home.manageUsers { error in
            if let error = error as? HMError, error.code == .insufficientPrivileges { return }
            self.reload()
        }
        titles.append(home.currentUser.name)
        if home.homeAccessControl(for: home.currentUser).isAdministrator { addRoom() }
    }

    func home(_ home: HMHome, didAdd user: HMUser) { titles.append(user.name) }

    func home(_ home: HMHome, didRemove user: HMUser) { reload() }

    func home(_ home: HMHome, didAdd group: HMServiceGroup) { titles.append(group.name) }

    deinit {
        observers.forEach(NotificationCenter.default.removeObserver)
    }
}

class GuideEditController: NSObject, HMAccessoryBrowserDelegate {
    let accessoryBrowser = HMAccessoryBrowser()
    var accessories = [HMAccessory]()

    func viewDidLoad() {
        accessoryBrowser.delegate = self
        accessoryBrowser.startSearchingForNewAccessories()
    }

    func viewWillDisappear(_ animated: Bool) {
        accessoryBrowser.stopSearchingForNewAccessories()
    }

    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {
        accessories.append(accessory)
    }

    func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {
        if let index = accessories.firstIndex(of: accessory) { accessories.remove(at: index) }
    }
}

class GuideAccessoryController: NSObject, HMAccessoryDelegate {
    var accessory: HMAccessory!
    var isControllable = false
    var text = ""

    func viewDidLoad() {
        accessory.delegate = self
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) {
        if accessory.isReachable == true {
            isControllable = true
        } else {
            // Out of range, turned off, …
            isControllable = false
        }
    }

    func accessoryDidUpdateServices(_ accessory: HMAccessory) {}

    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        text = "\(service.name): \(characteristic.value ?? "")"
    }

    // MARK: Services and characteristics

    func services(in home: HMHome) -> [String] {
        let lightServices = home.servicesWithTypes([HMServiceTypeLightbulb])
        let thermostatServices = home.servicesWithTypes([HMServiceTypeThermostat]) ?? []
        let services: [HMService] = accessory.services
        let characteristics: [HMCharacteristic] = services.flatMap { $0.characteristics }
        let names = (lightServices ?? []).map { $0.name } + thermostatServices.map { $0.serviceType }
        return names + characteristics.map { $0.characteristicType }
    }

    func rename(_ service: HMService) {
        service.updateName("Garage 1 Opener") { (error) -> Void in
            if error == nil { self.text = service.name }
        }
    }

    func read(_ characteristic: HMCharacteristic) {
        characteristic.readValue(completionHandler: { error in
            if error == nil {
                let value = characteristic.value
                self.text = String(describing: value)
            } else {
                self.text = "?"
            }
        })
    }

    func write(_ characteristic: HMCharacteristic) {
        characteristic.writeValue(42) { error in
            if error == nil { self.text = "written" }
        }
        characteristic.writeValue(NSNumber(value: 42), completionHandler: { _ in })
    }

    // MARK: Actions

    func actions(for characteristic: HMCharacteristic, value: Any) -> [HMAction] {
        var actions: [HMAction] = []
        actions.append(HMCharacteristicWriteAction(characteristic: characteristic, targetValue: NSNumber(value: true)))
        actions.append(
            HMCharacteristicWriteAction<NSCopying>(characteristic: characteristic, targetValue: "on" as NSString)
        )
        actions.append(HMCharacteristicWriteAction(characteristic: characteristic, targetValue: true as NSCopying))
        if let number = value as? NSNumber {
            actions.append(HMCharacteristicWriteAction<NSNumber>(characteristic: characteristic, targetValue: number))
        }
        return actions
    }

    var trigger: HMTimerTrigger!

    func makeNightTime(in home: HMHome, _ action: HMAction) {
        home.addActionSet(
            withName: "NightTime",
            completionHandler: { (actionSet: HMActionSet?, error: Error?) in
                if error == nil {
                    actionSet?.addAction(
                        action,
                        completionHandler: { error in
                            if error == nil { self.text = "added" } else { self.text = "failed" }
                        }
                    )
                } else {
                    self.text = "failed"
                }
            }
        )
    }

    func startTimer(_ name: String, at fireDate: Date, running actionSet: HMActionSet, in home: HMHome) {
        self.trigger = HMTimerTrigger(
            name: name,
            fireDate: fireDate,
            timeZone: nil,
            recurrence: nil,
            recurrenceCalendar: nil
        )
        self.trigger.addActionSet(actionSet) { error in
            if error != nil { return }
            home.addTrigger(self.trigger) { error in
                if error != nil { return }
                self.trigger.enable(true) { error in self.text = error?.localizedDescription ?? "enabled" }
            }
        }
        home.executeActionSet(actionSet) { _ in }
    }

    func describe(_ actions: Set<HMAction>) -> [String] {
        actions.compactMap { $0 as? HMCharacteristicWriteAction<NSCopying> }.map { action in
            let accessory = action.characteristic.service?.accessory
            action.updateTargetValue(NSNumber(value: 1)) { _ in }
            return "\(accessory?.name ?? ""): \(action.targetValue as? NSNumber ?? 0)"
        }
    }
}
