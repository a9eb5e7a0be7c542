public import Foundation

extension NSNotification.Name {
    /// The old name of ``HMCharacteristicPropertySupportsEventNotification``, as imported from Objective-C.
    public static let HMCharacteristicPropertySupportsEvent = NSNotification.Name(
        HMCharacteristicPropertySupportsEventNotification
    )
}
