import Foundation
import HAPCatalog
@testable import HomeKit
import Testing

@Suite struct ConstantTests {
    @Test func everyConstantOfTheCatalogueHasItsTypesUUID() {
        #expect(HMServiceTypeLightbulb == HAPType.Service.lightbulb.longForm)
        #expect(HMServiceTypeGarageDoorOpener == "00000041-0000-1000-8000-0026BB765291")
        #expect(HMCharacteristicTypePowerState == "00000025-0000-1000-8000-0026BB765291")
        #expect(HMCharacteristicTypeTargetDoorState == HAPType.Characteristic.targetDoorState.longForm)
        #expect(HMAccessoryCategoryTypeLightbulb == "57D56F4D-3302-41F7-AB34-5365AA180E81")
        #expect(HMCharacteristicMetadataFormatDictionary == "dict")
        #expect(HMCharacteristicValueDoorState.stopped.rawValue == 4)
        #expect(HMErrorDomain == "HMErrorDomain")
    }

    @Test func everyConstantHasExactlyApplesValue() {
        for constant in ConstantTable.strings {
            #expect(constant.value == constant.expected, "\(constant.name)")
        }
        // All constants except the category of range extenders, whose value isn't published.
        #expect(ConstantTable.strings.count == 254)
        #expect(Set(ConstantTable.strings.map(\.name)).count == 254)
    }

    @Test func everyMeaningOfAValueAndEveryErrorCodeHasApplesNumber() {
        for constant in ConstantTable.numbers {
            #expect(constant.value == constant.expected, "\(constant.name)")
        }
        #expect(ConstantTable.numbers.count == 317)
    }

    @Test func aSignificantEventIsItsName() {
        #expect(HMSignificantEvent("sunset") == .sunset)
        #expect(HMSignificantEvent(rawValue: "noon").rawValue == "noon")
        #expect(Set([HMSignificantEvent.sunrise, .sunset, .init(rawValue: "sunrise")]).count == 2)
    }

    @Test(arguments: AccessoryCategory.all)
    func everyCategoryHasWords(_ category: AccessoryCategory) {
        #expect(HMAccessoryCategory(category).localizedDescription == category.name)
        #expect(UUID(uuidString: HMAccessoryCategory(category).categoryType) != nil)
    }

    @Test func anUnknownCategoryIsAnother() {
        let category = HMAccessoryCategory(AccessoryCategory(rawValue: 999))
        #expect(category.categoryType == HMAccessoryCategoryTypeOther)
        #expect(category == HMAccessoryCategory(.other))
        #expect(category != HMAccessoryCategory(.fan))
    }
}
