import HAPCatalog
import Testing

@Suite struct ConstantTests {
    @Test func statusesWithoutTheirSignAreUnderstood() {
        #expect(HAPStatus(lenient: 70_402) == .unableToPerform)
        #expect(HAPStatus(lenient: -70_402) == .unableToPerform)
        #expect(HAPStatus(lenient: 0) == .success)
        #expect(HAPStatus(lenient: .min).rawValue == .min)
        #expect(HAPStatus(lenient: .max).rawValue == -.max)
        #expect(HAPStatus(rawValue: -70_499).rawValue == -70_499)
    }

    @Test(arguments: Array(-70_412 ... -70_401))
    func everyStatusOfTheSpecificationHasAMeaning(_ number: Int) {
        #expect(HAPStatus(rawValue: number).description.hasSuffix("(\(number))"))
        #expect(!HAPStatus(rawValue: number).isSuccess)
    }

    @Test func permissionsKeepTheOrderOfTheSpecification() {
        let all = CharacteristicPermissions(names: ["wr", "hd", "tw", "aa", "ev", "pw", "pr", "zz"])
        #expect(all.names == ["pr", "pw", "ev", "aa", "tw", "hd", "wr"])
        #expect(all.description == "pr pw ev aa tw hd wr")
        #expect(CharacteristicPermissions(names: [String]()).names.isEmpty)
    }

    @Test func formatsKeepUnknownNames() {
        let names = ["bool", "uint8", "uint16", "uint32", "uint64", "int", "float", "string", "tlv8", "data", "color"]
        for (index, name) in names.enumerated() {
            let format = CharacteristicFormat(rawValue: name)
            #expect(format.rawValue == name)
            for (other, otherName) in names.enumerated() {
                let otherFormat = CharacteristicFormat(rawValue: otherName)
                #expect((format == otherFormat) == (index == other))
                #expect((format != otherFormat) == (index != other))
            }
        }
        #expect(Set((names + names).map(CharacteristicFormat.init(rawValue:))).count == names.count)
        #expect(CharacteristicFormat(rawValue: "color") == .other("color"))
        #expect(CharacteristicFormat(rawValue: "UINT8") == .other("UINT8"))
    }

    @Test func identifyAndPairingAreOpenBeforeVerify() {
        let open = HAPEndpoint.allCases.filter(\.isOpenBeforeVerify).map(\.path)
        #expect(open == ["/identify", "/pair-setup", "/pair-verify"])
        #expect(HAPEndpoint(rawValue: "/accessories") == .accessories)
    }
}
