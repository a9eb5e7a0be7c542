import HomeKit

/// The tile of one service: its name, its state, and whether the last tap failed.
class AccessoryTile: NSObject {
    var service: HMService? {
        didSet { redrawState() }
    }
    private(set) var title = ""
    private(set) var state = ""
    private(set) var subtitle: String?
    private(set) var isEnabled = false
    private(set) var redraws = 0

    func redrawState(error: Error? = nil) {
        redraws += 1
        title = service?.name ?? ""
        isEnabled = service?.accessory?.isReachable ?? false
        subtitle = service?.accessory?.room?.name ?? "Other"
        if let error = error {
            state = error.localizedDescription
        } else {
            state = isEnabled ? service?.state ?? "" : "No Response"
        }
    }

    func tap(_ completion: (() -> Void)? = nil) {
        guard
            let characteristic = service?.primaryControlCharacteristic,
            let value = characteristic.value as? Bool
        else { return }
        characteristic.writeValue(!value) { error in
            self.redrawState(error: error)
            completion?()
        }
    }
}
