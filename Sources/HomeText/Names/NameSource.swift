package import Foundation
package import HAPCatalog
package import HomeModel

/// The names of what a sentence is about: a home's present names, or those that were recorded.
package protocol NameSource {
    /// Returns the name of a characteristic; `nil` if it isn't there.
    func name(of characteristic: CharacteristicIdentity) -> CharacteristicName?
    /// Returns a user's name; `nil` if the user isn't there.
    func name(ofUser user: UUID) -> String?
    /// Returns the name of an action set; `nil` if it isn't there. It is empty for those that triggers own.
    func name(ofActionSet actionSet: UUID) -> String?
}

/// A characteristic as sentences name it.
package struct CharacteristicName: Hashable, Sendable {
    /// The name of the accessory or service: “Desk Lamp”.
    package var subject: String
    /// The characteristic's type.
    package var type: HAPType
    /// The characteristic's metadata; `nil` if only the type is known.
    package var metadata: CharacteristicMetadata?

    /// Creates a name.
    package init(subject: String, type: HAPType, metadata: CharacteristicMetadata? = nil) {
        self.subject = subject
        self.type = type
        self.metadata = metadata
    }

    /// The characteristics that are measured, of which a sensor's name may say enough.
    static let measuredTypes = [
        HAPType.Characteristic.currentTemperature, HAPType.Characteristic.currentRelativeHumidity,
        HAPType.Characteristic.currentAmbientLightLevel, HAPType.Characteristic.carbonDioxideLevel,
        HAPType.Characteristic.carbonMonoxideLevel, HAPType.Characteristic.pm25Density,
    ]

    /// Returns whether an accessory's name ends with a characteristic's: “Kitchen Temperature”.
    static func subject(_ name: String, names type: HAPType, in language: Language) -> Bool {
        let (name, characteristic) = (FoldedName(name).text, FoldedName(language.name(of: type)).text)
        return measuredTypes.contains(type) && name.hasSuffix(characteristic)
    }

    /// Returns the name for what is measured: “Kitchen Temperature”, “Thermostat Temperature”.
    func measured(in language: Language) -> String {
        Self.subject(subject, names: type, in: language) ? subject : full(in: language)
    }

    /// Returns the name with the characteristic: “Desk Lamp Brightness”.
    func full(in language: Language) -> String {
        "\(subject) \(language.name(of: type, description: metadata?.manufacturerDescription))"
    }
}
