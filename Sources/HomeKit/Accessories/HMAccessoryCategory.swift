public import Foundation
import HAPCatalog

/// The category of an accessory.
/// - Since: iOS 9.0
public final class HMAccessoryCategory: NSObject, Sendable {
    private let category: AccessoryCategory

    init(_ category: AccessoryCategory) {
        self.category = category
    }

    /// The category, for example ``HMAccessoryCategoryTypeLightbulb``.
    /// - Since: iOS 9.0
    public var categoryType: String { Self.types[category] ?? HMAccessoryCategoryTypeOther }

    /// A description of the category, for example “Garage Door Opener”.
    /// - Since: iOS 9.0
    public var localizedDescription: String { category.name ?? AccessoryCategory.other.description }

    /// Whether the other object is the same category.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HMAccessoryCategory)?.categoryType == categoryType
    }

    /// The hash value; equal categories have equal hash values.
    public override var hash: Int { categoryType.hashValue }

    /// Apple's framework identifies categories by UUIDs, HAP by numbers.
    private static let types: [AccessoryCategory: String] = [
        .other: HMAccessoryCategoryTypeOther,
        .bridge: HMAccessoryCategoryTypeBridge,
        .fan: HMAccessoryCategoryTypeFan,
        .garageDoorOpener: HMAccessoryCategoryTypeGarageDoorOpener,
        .lightbulb: HMAccessoryCategoryTypeLightbulb,
        .doorLock: HMAccessoryCategoryTypeDoorLock,
        .outlet: HMAccessoryCategoryTypeOutlet,
        .switch: HMAccessoryCategoryTypeSwitch,
        .thermostat: HMAccessoryCategoryTypeThermostat,
        .sensor: HMAccessoryCategoryTypeSensor,
        .securitySystem: HMAccessoryCategoryTypeSecuritySystem,
        .door: HMAccessoryCategoryTypeDoor,
        .window: HMAccessoryCategoryTypeWindow,
        .windowCovering: HMAccessoryCategoryTypeWindowCovering,
        .programmableSwitch: HMAccessoryCategoryTypeProgrammableSwitch,
        .ipCamera: HMAccessoryCategoryTypeIPCamera,
        .videoDoorbell: HMAccessoryCategoryTypeVideoDoorbell,
        .airPurifier: HMAccessoryCategoryTypeAirPurifier,
        .airHeater: HMAccessoryCategoryTypeAirHeater,
        .airConditioner: HMAccessoryCategoryTypeAirConditioner,
        .airHumidifier: HMAccessoryCategoryTypeAirHumidifier,
        .airDehumidifier: HMAccessoryCategoryTypeAirDehumidifier,
        .airPort: HMAccessoryCategoryTypeAirPort,
        .speaker: HMAccessoryCategoryTypeSpeaker,
        .sprinkler: HMAccessoryCategoryTypeSprinkler,
        .faucet: HMAccessoryCategoryTypeFaucet,
        .showerHead: HMAccessoryCategoryTypeShowerHead,
        .television: HMAccessoryCategoryTypeTelevision,
        .router: HMAccessoryCategoryTypeWiFiRouter,
        .audioReceiver: HMAccessoryCategoryTypeAudioReceiver,
        .tvSetTopBox: HMAccessoryCategoryTypeTelevisionSetTopBox,
        .tvStreamingStick: HMAccessoryCategoryTypeTelevisionStreamingStick,
    ]
}
