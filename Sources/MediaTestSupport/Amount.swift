internal import Foundation

/// How much a test does: everything under `MEDIABATCH_TEST_ALL`, which `make test-all` sets.
package enum Amount {
  package static let isAll = ProcessInfo.processInfo.environment["MEDIABATCH_TEST_ALL"] != nil

  package static func of(_ few: Int, all: Int) -> Int { isAll ? all : few }
}
