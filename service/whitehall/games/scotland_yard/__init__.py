"""Scotland Yard: Mr X flees through London by taxi, bus, underground and ferry; detectives and Bobbies hunt him."""
