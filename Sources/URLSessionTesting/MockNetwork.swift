public import APIClient
import Foundation
public import FoundationNetworking
import Synchronization

/// The network of a `URLSession`, answered by a `Transport` instead of sockets.
///
/// Hand in a `MockTransport` or a `RecordedTransport` of `APIClientTesting`, and everything that
/// a session made by ``makeSession()`` asks for is looked up there, and recorded there: the same
/// table serves both ways of standing in for the network. Two networks know nothing of each other,
/// so tests may run side by side.
///
/// The transport is asked in a task that belongs to the one that made the network. An
/// `Issue.record` in the mock's `onUnexpected` therefore counts for the test that made it, though
/// the session asks from a thread of its own.
///
/// Fields are handed on in the order of their names, because Foundation keeps none, and without
/// those of `httpAdditionalHeaders`, which a `URLProtocol` on Linux is not shown.
public final class MockNetwork: Sendable {
    private let number: Int
    private let orders = MockOrders()

    /// A network that asks `transport`; it answers as long as this value or one of its sessions
    /// lives.
    public init(answering transport: any Transport) {
        number = Self.networks.withLock { [orders] networks in
            networks.count += 1
            networks.alive[networks.count] = orders
            return networks.count
        }
        // Unstructured, because URLSession knows no task; it ends with this value, and it inherits
        // what tells a test library which test runs.
        Task { [orders] in
            for await _ in orders.rings {
                for order in orders.takeAll() { order.begin(over: transport) }
            }
        }
    }

    deinit {
        Self.networks.withLock { $0.alive[number] = nil }
        orders.finish()
    }

    /// An ephemeral configuration, without cookies and cache, whose requests come here. A copy may
    /// be changed, but for its `protocolClasses`; a session that is made of it does not keep the
    /// network.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [MockZero.protocolClass(number)]
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        return configuration
    }

    /// A session that keeps this network until it is invalidated.
    public func makeSession() -> URLSession {
        URLSession(configuration: configuration, delegate: Owner(self), delegateQueue: nil)
    }

    /// What a session holds on to: its delegate.
    private final class Owner: NSObject, URLSessionDelegate {
        private let network: MockNetwork

        init(_ network: MockNetwork) { self.network = network }
    }

    // MARK: For the protocol

    private struct Networks {
        var count = 0
        var alive: [Int: MockOrders] = [:]
    }

    /// URLSession makes protocols by their class and hands them nothing but the request, so the
    /// way from a class to its network has to be known to all of the process.
    private static let networks = Mutex(Networks())

    /// Hands the order to the network of that number; false if that network is gone.
    static func take(_ order: MockOrder, for number: Int) -> Bool {
        networks.withLock { $0.alive[number] }?.put(order) ?? false
    }
}
