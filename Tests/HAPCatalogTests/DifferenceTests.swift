import HAPCatalog
import Testing

/// Tests that numbers changed by a difference stay on the steps and within the bounds.
struct DifferenceTests {
    private static let brightness = CharacteristicMetadata(
        format: .int,
        minValue: .integer(0),
        maxValue: .integer(100),
        stepValue: .integer(1)
    )
    private static let temperature = CharacteristicMetadata(
        format: .float,
        minValue: .double(10),
        maxValue: .double(38),
        stepValue: .double(0.5)
    )

    @Test(arguments: [(50, 10, 60), (50, -10, 40), (95, 10, 100), (5, -10, 0), (100, 1, 100), (0, -1, 0), (7, 0, 7)])
    func aWholeNumberMovesWithinItsBounds(current: Int64, difference: Int64, result: Int64) throws {
        let value = try Self.brightness.value(.integer(current), changedBy: .integer(difference))
        #expect(value == .integer(result))
    }

    @Test(arguments: [(20.0, 1.2, 21.0), (20, 0.1, 20.5), (20, -0.1, 19.5), (37.9, 3, 38), (10.2, -5, 10)])
    func aFloatMovesToTheNearestStepAndAtLeastOne(current: Double, difference: Double, result: Double) throws {
        let value = try Self.temperature.value(.double(current), changedBy: .double(difference))
        #expect(value == .double(result))
    }

    @Test func aDifferenceBeyondAnyBoundEndsAtTheBound() throws {
        let value = try Self.brightness.value(.integer(50), changedBy: .double(1e300))
        #expect(value == .integer(100))
        let unbounded = CharacteristicMetadata(format: .uint8)
        #expect(try unbounded.value(.integer(200), changedBy: .integer(1_000)) == .integer(255))
        #expect(try unbounded.value(.integer(200), changedBy: .integer(.min)) == .integer(0))
    }

    @Test func theLastStepWithinTheBoundsIsTheEnd() throws {
        let coarse = CharacteristicMetadata(
            format: .int,
            minValue: .integer(0),
            maxValue: .integer(100),
            stepValue: .integer(30)
        )
        #expect(try coarse.value(.integer(60), changedBy: .integer(100)) == .integer(90))
        #expect(try coarse.value(.integer(90), changedBy: .integer(5)) == .integer(90))
    }

    @Test func whatIsNotANumberIsRefused() {
        let power = CharacteristicMetadata(format: .bool)
        #expect(throws: CharacteristicValueError.self) { try power.value(.bool(true), changedBy: .integer(1)) }
        #expect(throws: CharacteristicValueError.self) {
            try Self.brightness.value(.integer(1), changedBy: .string("x"))
        }
        #expect(throws: CharacteristicValueError.self) {
            try Self.brightness.value(.integer(1), changedBy: .double(.infinity))
        }
    }
}
