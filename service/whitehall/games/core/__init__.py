"""What all games share: the Game contract, rules and violations, seats, chance, outcomes. Standard library only."""
