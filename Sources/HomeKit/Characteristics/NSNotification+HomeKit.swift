public import Foundation

extension NSNotification.Name {
    /// ``HMCharacteristicPropertySupportsEventNotification`` under the name that an old importer made of it.
    public static let HMCharacteristicPropertySupportsEvent = NSNotification.Name(
        HMCharacteristicPropertySupportsEventNotification
    )
}
