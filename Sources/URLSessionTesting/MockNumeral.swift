import Foundation
import FoundationNetworking

/// A number as a type: ``MockURLProtocol`` of it is a class of its own, made while the program
/// runs. `URLSession` tells networks apart by nothing else.
protocol MockNumeral {
    static var value: Int { get }
}

extension MockZero {
    /// The class for the network of that number.
    static func protocolClass(_ number: Int) -> AnyClass {
        func classOf<Number: MockNumeral>(_ type: Number.Type) -> AnyClass {
            MockURLProtocol<Number>.self
        }
        return classOf(numeral(number))
    }

    /// Its binary digits, the lowest one outermost.
    private static func numeral(_ number: Int) -> any MockNumeral.Type {
        func even<Half: MockNumeral>(_ half: Half.Type) -> any MockNumeral.Type {
            MockEven<Half>.self
        }
        func odd<Half: MockNumeral>(_ half: Half.Type) -> any MockNumeral.Type {
            MockOdd<Half>.self
        }
        guard number > 0 else { return MockZero.self }
        let half = numeral(number / 2)
        return number.isMultiple(of: 2) ? even(half) : odd(half)
    }
}

enum MockZero: MockNumeral {
    static var value: Int { 0 }
}

/// Twice the number.
enum MockEven<Half: MockNumeral>: MockNumeral {
    static var value: Int { 2 * Half.value }
}

/// Twice the number and one.
enum MockOdd<Half: MockNumeral>: MockNumeral {
    static var value: Int { 2 * Half.value + 1 }
}
