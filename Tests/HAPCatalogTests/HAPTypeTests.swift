import Foundation
import HAPCatalog
import Testing

@Suite struct HAPTypeTests {
    @Test(arguments: [
        "3E", "3e", "03e", "0000003E", "0000003E-0000-1000-8000-0026BB765291", "0000003e0000100080000026bb765291",
    ])
    func everyFormOfATypeIsTheSameType(_ form: String) throws {
        let type = try #require(HAPType(form))
        #expect(type == HAPType.Service.accessoryInformation)
        #expect(type.shortForm == "3E")
        #expect(type.longForm == "0000003E-0000-1000-8000-0026BB765291")
        #expect(type.short == 0x3E)
        #expect(type.isApple)
    }

    @Test func aLowerCaseUUIDIsWrittenInUpperCase() throws {
        let type = try #require(HAPType("e863f10d-079e-48ff-8f27-9c2605a29f52"))
        #expect(!type.isApple)
        #expect(type.short == nil)
        #expect(type.shortForm == "E863F10D-079E-48FF-8F27-9C2605A29F52")
        #expect(type.longForm == UUID(uuidString: "e863f10d-079e-48ff-8f27-9c2605a29f52")?.uuidString)
        #expect(type.description == type.longForm)
    }

    @Test func zeroAndTheLargestNumberAreTypes() throws {
        #expect(HAPType("0")?.shortForm == "0")
        #expect(HAPType("FFFFFFFF")?.longForm == "FFFFFFFF-0000-1000-8000-0026BB765291")
        #expect(HAPType(short: .max).short == .max)
    }

    @Test(arguments: [
        "", " ", "G", "0x3E", "3E ", "100000000", "+3E", "３E", "0000003E-000010008000-0026BB765291",
        "0000003E-0000-1000-8000-0026BB76529", "0000003E-0000-1000-8000-0026BB7652911",
        "0000003E_0000-1000-8000-0026BB765291", "0000003E-0000-1000-80000-026BB765291",
        "G000003E-0000-1000-8000-0026BB765291",
    ])
    func whatIsNoTypeIsRefused(_ form: String) {
        #expect(HAPType(form) == nil)
    }

    @Test func aTypeIsDescribedByItsNameIfItHasOne() {
        #expect(HAPType.Characteristic.targetDoorState.description == "TargetDoorState")
        #expect(HAPType.Service.garageDoorOpener.description == "GarageDoorOpener")
        #expect(HAPType(short: 0xFFFF).description == "FFFF")
    }

    @Test func codingKeepsTheType() throws {
        let types = [HAPType.Characteristic.on, try #require(HAPType("E863F10D-079E-48FF-8F27-9C2605A29F52"))]
        let encoded = try JSONEncoder().encode(types)
        #expect(String(decoding: encoded, as: UTF8.self) == #"["25","E863F10D-079E-48FF-8F27-9C2605A29F52"]"#)
        #expect(try JSONDecoder().decode([HAPType].self, from: encoded) == types)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([HAPType].self, from: Data(#"["x"]"#.utf8)) }
    }
}
