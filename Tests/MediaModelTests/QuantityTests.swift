import Testing

@testable import MediaModel

@Suite("Numbers and lists in sentences")
struct QuantityTests {
  @Test("One is singular, and every other number plural, also where the plural is irregular")
  func plurals() {
    #expect(Quantity.text(1, "file") == "1 file")
    #expect(Quantity.text(0, "file") == "0 files")
    #expect(Quantity.text(1234, "file") == "1,234 files")
    #expect(Quantity.text(1, "batch", plural: "batches") == "1 batch")
    #expect(Quantity.text(2, "batch", plural: "batches") == "2 batches")
  }

  @Test("A list has commas, and one and")
  func lists() {
    #expect(Quantity.list([]) == "")
    #expect(Quantity.list(["the camera"]) == "the camera")
    #expect(Quantity.list(["a", "b"]) == "a and b")
    #expect(Quantity.list(["a", "b", "c"]) == "a, b and c")
  }
}
